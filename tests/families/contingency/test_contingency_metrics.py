"""contingency's views against numbers worked out by hand, and its section of the report."""

from dataclasses import replace
from pathlib import Path

from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Figure, ReportTable
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.contingency.sections import SECTIONS
from support.analysis.contingency_runs import Watched, varied_watchers, write_contingency_run

# One row each: episode, and its scores (None: not defined).
SCORED: list[tuple[Watched, dict[str, int | None]]] = [
    (
        Watched(("unsure", "unsure", "left")),
        {"correct": 1, "on_late": 0, "on_own_shirt": 0, "tested": 1, "too_early": 0},
    ),
    # Before the second picture nothing tells the images apart, however right it is.
    (Watched(("left",)), {"correct": 1, "tested": 0, "too_early": 1, "said_left": 1}),
    (Watched(("unsure", "right")), {"correct": 0, "on_late": 1, "on_own_shirt": 1}),
    # The middle one wears the own shirt, late; the right one is late as well.
    (Watched(("middle",), "conflict"), {"on_own_shirt": 1, "on_late": 1}),
    (Watched(("right",), "conflict"), {"on_own_shirt": 0, "on_late": 1}),
    (Watched(("left",), "conflict"), {"correct": 1, "on_own_shirt": 0, "on_late": 0}),
    (Watched(("right",), "match"), {"correct": 0, "on_late": 1, "on_own_shirt": None}),
    (Watched(("none",), "frozen"), {"correct": 0, "said_none": 1, "on_late": None}),
    (Watched(("none",), "absent"), {"correct": 1, "said_none": 1, "too_early": None}),
    (Watched(("left",), "absent"), {"correct": 0, "said_none": 0, "too_early": None}),
    (
        Watched(("unsure", None)),
        {"correct": 0, "no_answer": 1, "on_late": 0, "too_early": None, "said_none": 0},
    ),
    (
        Watched(("left",), error_kind="server"),
        dict.fromkeys(("correct", "on_late", "no_answer", "tested", "too_early", "said_none")),
    ),
]


def test_an_episode_scores_what_its_answers_come_to(tmp_path: Path) -> None:
    played = [replace(watched, scene_seed=at) for at, (watched, _) in enumerate(SCORED)]
    with open_run(write_contingency_run(tmp_path, played), hold=True) as connection:
        for at, (watched, scores) in enumerate(SCORED):
            names = ", ".join(scores)
            row = connection.execute(
                f"select {names} from episode.contingency where scene_seed = $1",  # noqa: S608
                [at],
            ).fetchone()
            assert row is not None, watched
            assert dict(zip(scores, row, strict=True)) == scores, watched


def test_every_answer_has_a_colour_and_every_metric_a_column(tmp_path: Path) -> None:
    run = write_contingency_run(tmp_path, varied_watchers())
    with open_run(run, hold=True) as connection:
        section = SECTIONS[0](Reading(connection))
        assert section is not None
        figure, table = section.parts
        assert isinstance(figure, Figure)
        assert isinstance(table, ReportTable)
        said = shipped_yaml("mirror_ray.families.contingency.sections", "section.yaml")
        kinds = {row[2] for row in connection.execute(figure.sql).fetchall()}
        assert kinds == set(said["parts"][figure.name]["chart"]["kinds"]) - {"unknown"}
        assert vegalite_to_vega(figure.chart)
        assert len(table.columns) == 1 + len(METRICS["contingency"].metrics)
    empty = tmp_path / "empty"
    with open_run(write_contingency_run(empty, []), hold=True) as connection:
        assert SECTIONS[0](Reading(connection)) is None
