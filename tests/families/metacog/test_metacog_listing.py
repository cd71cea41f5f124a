"""Published banks are read as they are, and what is listed of them is played."""

import gzip
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Observation, Reply, Turn
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.family import FAMILY
from mirror_ray.families.metacog.published import key_of, read_bank

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "metacog"
needs_the_files = pytest.mark.skipif(
    not PUBLISHED.is_dir(), reason="the published banks are not on this machine"
)
FILES = {
    "exp1": "questions.jsonl.gz",
    "exp2": "transfer_tasks.jsonl.gz",
    "exp3": "exp3_intersection_tasks_v2.jsonl.gz",
    "exp4": "exp4_templates_v2.jsonl.gz",
    "exp6b": "exp6b_flawed_new.json.gz",
    "exp9-C1": "exp9_tasks.jsonl.gz",
}


def row(text: str, answer: object, domain: str = "arithmetic", **more: object) -> dict[str, Any]:
    return {
        "question_text": text,
        "correct_answer": answer,
        "domain": domain,
        "subcategory": "some",
        "difficulty": None,
        **more,
    }


def bank_of(folder: Path, *rows: Mapping[str, Any]) -> Path:
    path = folder / "bank.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


def cell_of(condition: str, model: str = "m", **axes: str) -> Cell:
    chosen = tuple(sorted(axes.items()))
    return Cell("metacog", condition, (("subject", model),), 0.0, "paper", chosen)


def listed(
    condition: str, bank: Path, seeds: Any, model: str = "m", **axes: str
) -> list[EpisodeSpec]:
    shape = Shape(seeds, 1, (model,), {"bank": str(bank)}, "s.yaml: stages.0")
    listing, cell = FAMILY.listings[condition], cell_of(condition, model, **axes)
    if listing.presumed is not None:
        return list(listing.presumed(cell, shape, []))
    return list(listing.episodes(cell, shape, None))


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("138", "number"),
        (240, "number"),
        ("$10,192.50", "number"),
        ("About 240 seconds", "number"),
        ("1/4", "number"),
        ("Yes", "boolean"),
        ("22%, 33%, 44%", "sequence"),
        ("[2, 1]", "sequence"),
        ("3:45 PM", "time"),
        ("10.30", "number"),
        ("4.45 miles", "number"),
        ("10.30 AM", "time"),
        ("9:00 AM the next day", "time"),
        ("2 PM (previous day)", "time"),
        ("6 hours 15 minutes", "number"),
        ("About 60 miles per hour", "number"),
        ("4 teaspoons of baking powder.", "number"),
        ("2/8 (= 0.25)", "number"),
        ("60 to 100", "text"),
        ("No, they would have been born ten years after that day.", "boolean"),
        ("1. Open the lid, 2. Put in the coffee, 3. Close the lid", "sequence"),
        ("B", "letter"),
        ("the park", "text"),
        ("8 minutes, more or less, as light takes from the Sun", "open"),
    ],
)
def test_the_kind_of_an_answer_is_told_from_its_text(answer: object, kind: str) -> None:
    assert key_of(answer).kind == kind


def test_rows_are_their_numbers_and_malformed_ones_are_counted(tmp_path: Path) -> None:
    path = bank_of(
        tmp_path,
        row("What is 1 + 1?", "2", question_id="same"),
        row("What is 2 + 2? CORRECT_ANSWER: 4", "4", question_id="same"),
        row("", "4"),
        row("What?", ""),
        row("Who?", "Ann", "gossip"),
        {"question_text": "Only a text"},
        row("Where?", "Rome", "factual", question_id="same"),
    )
    bank = read_bank(path, 0)
    # What the generating model's own fields say is cut off.
    assert [one.number for one in bank.rows] == [0, 1, 6]
    assert bank.rows[1].given["question"]["text"] == "What is 2 + 2?"
    assert bank.malformed == {
        "no text": 1,
        "no answer": 1,
        "an unknown domain": 1,
        "a field is missing or of another type": 1,
    }
    assert bank.kinds == {"number": 2, "text": 1}


def test_few_seeds_take_turns_over_the_groups(tmp_path: Path) -> None:
    rows = [row(f"What is {n} + 1?", n + 1, domain) for domain in DOMAINS for n in range(9)]
    specs = listed("exp1", bank_of(tmp_path, *rows), range(16))
    assert Counter(spec.given["question"]["domain"] for spec in specs) == dict.fromkeys(DOMAINS, 2)
    assert [spec.scene_seed for spec in specs][:3] == [0, 9, 18]
    assert [s.scene_seed for s in listed("exp1", tmp_path / "bank.jsonl.gz", [17, 3])] == [17, 3]


def test_what_is_given_is_played(tmp_path: Path) -> None:
    spec, *_ = listed("exp1", bank_of(tmp_path, row("What is 40 + 2?", "42")), range(1))
    playing = FAMILY.play(spec, spec.rng())
    assert next(playing).user.startswith("What is 40 + 2?\n")
    with pytest.raises(StopIteration) as end:
        playing.send(Turn(Observation((), None, {}), Reply("ANSWER: 42\nBET: 9")))
    outcome = end.value.value
    assert outcome.fields["bank"] == spec.given["bank"]
    assert outcome.fields["bank"].startswith("published ")
    assert outcome.steps[0]["correct"] is True


@pytest.mark.parametrize(
    ("condition", "seeds", "axes", "key"),
    [
        ("exp2", range(1), {}, "stages.0.bank"),
        ("exp1", range(9), {}, "stages.0.seeds"),
        ("exp1", [4], {}, "stages.0.seeds"),
        ("exp1", range(1), {"channel": "difficulty"}, "stages.0.channel"),
    ],
)
def test_what_a_bank_cannot_give_is_an_error(
    tmp_path: Path, condition: str, seeds: Any, axes: dict[str, str], key: str
) -> None:
    path = bank_of(tmp_path, row("What is 40 + 2?", "42"))
    with pytest.raises(SweepError) as error:
        listed(condition, path, seeds, **axes)
    assert error.value.where.endswith(key)


@pytest.mark.parametrize("content", [b"[]", b"{}", b'[{"a": 1}]', b"not json"])
def test_what_is_no_bank_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bank.json"
    path.write_bytes(content)
    with pytest.raises(SweepError, match="bank"):
        listed("exp1", path, range(1))
    with pytest.raises(SweepError, match="No such file"):
        listed("exp1", tmp_path / "missing.json", range(1))


@needs_the_files
@pytest.mark.parametrize(("condition", "name"), FILES.items())
def test_the_published_files_play(condition: str, name: str) -> None:
    for spec in listed(condition, PUBLISHED / name, range(10)):
        playing = FAMILY.play(spec, spec.rng())
        turn = Turn(Observation((), None, {}), Reply("ANSWER: 42\nBET: 9", finish_reason="stop"))
        asks, outcome = [next(playing)], None
        while outcome is None:
            try:
                asks.append(playing.send(turn))
            except StopIteration as end:
                outcome = end.value
        assert outcome.terminated
        assert all(ask.user for ask in asks)


@needs_the_files
def test_the_published_files_are_counted() -> None:
    banks = {condition: read_bank(PUBLISHED / name, 0) for condition, name in FILES.items()}
    assert {condition: len(bank.rows) for condition, bank in banks.items()} == {
        "exp1": 5_000,
        "exp2": 200,
        "exp3": 112,
        "exp4": 320,
        "exp6b": 30,
        "exp9-C1": 597,
    }
    # The generating model's own fields are cut off: the key is in no text any more.
    assert banks["exp3"].malformed == {}
    assert not any("ANSWER" in row.given["question"]["text"] for row in banks["exp3"].rows)
    domains = Counter(one.given["question"]["domain"] for one in banks["exp1"].rows)
    assert domains == dict.fromkeys(DOMAINS, 625)


@needs_the_files
def test_tailored_tasks_are_for_their_model() -> None:
    path = PUBLISHED / FILES["exp9-C1"]
    mine = listed("exp9-C1", path, range(30), "nim/llama-3.1-8b-instruct", task_set="tailored")
    assert {spec.given["target"] for spec in mine} == {"llama-3-1-8b"}
    with pytest.raises(SweepError, match=r"(?s)at most 0.*fix: *remove bank"):
        listed("exp9-C1", path, range(1), "openai/gpt-5.1", task_set="tailored")
