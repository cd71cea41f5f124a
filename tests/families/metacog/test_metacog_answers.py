"""What would have been right and what was answered, in words, of metacog's episodes."""

from pathlib import Path

from mirror_ray.analysis.warehouse import open_run
from support.analysis.metacog_runs import Posed, write_metacog_run


def test_the_key_is_that_of_the_task_which_was_chosen(tmp_path: Path) -> None:
    facts = {"channel": "difficulty", "domain": "arithmetic", "truth": "80"}
    asks = {"A": "2702", "B": "80", "": None}
    posed = [
        Posed("exp1", place, facts, ({"phase": "answer", "choice": choice, "truth": truth},))
        for place, (choice, truth) in enumerate(asks.items())
    ]
    with open_run(write_metacog_run(tmp_path, posed)) as connection:
        query = (
            "select gold from metric.answers join stage.metacog_episodes using (episode_id) "
            "order by scene_seed"
        )
        assert connection.execute(query).fetchall() == [("2702",), ("80",), ("80",)]


def test_an_answer_reads_as_the_key_does(tmp_path: Path) -> None:
    """It is kept as it is compared: a time of day in minutes, a number with decimals."""
    told = {
        ("time", "564"): "09:24",
        ("time", "1096"): "18:16",
        ("time", "noon"): "noon",
        ("number", "80.00"): "80",
        ("number", "80.50"): "80.50",
        ("number", "2400.00"): "2400",
        ("text", "7.0"): "7.0",
        (None, "x"): "x",
    }
    posed = [
        Posed("exp1", place, {"truth": "80"}, ({"phase": "answer", "key_kind": kind,
                                                "answer_plain": plain},))
        for place, (kind, plain) in enumerate(told)
    ]  # fmt: skip
    with open_run(write_metacog_run(tmp_path, posed)) as connection:
        query = (
            "select answer from metric.answers join stage.metacog_episodes using (episode_id) "
            "order by scene_seed"
        )
        assert [answer for (answer,) in connection.execute(query).fetchall()] == [*told.values()]
