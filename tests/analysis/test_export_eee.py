"""Every Eval Ever's records of runs of every family: by its schema, and by each other."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from mirror_ray.analysis.export import batches
from mirror_ray.analysis.export.eee import SCHEMAS, write_eee
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.warehouse import open_run
from support.analysis.contingency_runs import varied_watchers, write_contingency_run
from support.analysis.dyad_runs import varied_rooms, write_dyad_run
from support.analysis.flipset_runs import varied_answers, write_flipset_run
from support.analysis.marktest_runs import varied_reaches, write_marktest_run
from support.analysis.metacog_runs import varied_answers as varied_wagers
from support.analysis.metacog_runs import write_metacog_run
from support.analysis.mirrorqa_runs import varied_questions, write_mirrorqa_run
from support.analysis.synthetic_runs import Moment, Played, moments, scenes, write_run
from support.analysis.textmirror_runs import varied_readers, write_textmirror_run

pytestmark = pytest.mark.thorough("analysis/test_export_formats.py")

SAID = {"system": "You are.", "user": "What now?", "reply": '{"a": "é"}', "reasoning": "Hm."}
RIGHT = Played(
    (Moment("w", superseded=True), *moments("w unknown 60", "done red 60 red")),
    model="openrouter/lab/a:b",
    says_otherwise={**SAID, "tokens_in": 10, "tokens_out": 3, "latency_s": 0.5},
)
RUNS: dict[str, Callable[[Path], str]] = {
    "selfid": lambda at: write_run(
        at, [*scenes(RIGHT, 3), *scenes(Played(moments("w blue 60"), error_kind="timeout"), 1)]
    ),
    "flipset": lambda at: write_flipset_run(at, varied_answers()),
    "mirrorqa": lambda at: write_mirrorqa_run(at, varied_questions()),
    "metacog": lambda at: write_metacog_run(at, varied_wagers()),
    "textmirror": lambda at: write_textmirror_run(at, varied_readers()),
    "marktest": lambda at: write_marktest_run(at, varied_reaches()),
    "contingency": lambda at: write_contingency_run(at, varied_watchers()),
    "dyad": lambda at: write_dyad_run(at, varied_rooms()),
}
# As the datastore's own checks have it.
PLACE = re.compile(
    r"data/[\w.-]+/[\w.-]+/[\w.-]+/"
    r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?:_samples\.jsonl|\.json)"
)


def validator(name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((SCHEMAS / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("family", RUNS)
def test_records_fit_the_schema_and_each_other(family: str, tmp_path: Path) -> None:
    run, out = RUNS[family](tmp_path / "run"), tmp_path / "out"
    written = write_eee(run, out, version="1")
    places = [path.relative_to(out).as_posix() for path in written]
    assert all(PLACE.fullmatch(place) for place in places), places
    # Of an estimate the last digit may differ: sums of fractions are made in any order.
    again = write_eee(run, tmp_path / "again", version="1")
    assert [path.name for path in again] == [path.name for path in written]
    for one, other in zip(again, written, strict=True):
        assert other.suffix == ".json" or one.read_bytes() == other.read_bytes()
    whole, single = validator("eval.schema.json"), validator("instance_level_eval.schema.json")
    n_estimates = n_samples = 0
    for path in written:
        if path.suffix == ".jsonl":
            continue
        record = json.loads(path.read_text(encoding="utf-8"))
        assert list(whole.iter_errors(record)) == []
        results = record["evaluation_results"]
        ids = [result["evaluation_result_id"] for result in results]
        assert len(ids) == len(set(ids))
        n_estimates += len(ids)
        detail = record.get("detailed_evaluation_results")
        if detail is None:
            continue
        lines = (out / detail["file_path"]).read_bytes()
        assert sha256(lines).hexdigest() == detail["checksum"]
        samples = [json.loads(line) for line in lines.decode().splitlines()]
        n_samples += len(samples)
        assert len(samples) == detail["total_rows"] > 0
        for sample in samples:
            assert list(single.iter_errors(sample)) == []
            assert sample["evaluation_id"] == record["evaluation_id"]
            assert sample["model_id"] == record["model_info"]["id"]
            assert sample["evaluation_result_id"] in ids
    with open_run(run) as connection:
        count = f"select count(estimate) from metric.{family}"  # noqa: S608 - our names
        assert connection.execute(count).fetchone() == (n_estimates,)
    assert n_samples > 0 or family == "metacog", "its leading metric is none of an episode"


def test_a_record_says_what_the_tables_say(tmp_path: Path) -> None:
    run = RUNS["selfid"](tmp_path / "run")
    aggregate, samples, *_ = write_eee(run, tmp_path / "out", version="1")
    assert "/lab/" in samples.as_posix()
    record = json.loads(aggregate.read_text(encoding="utf-8"))
    (tsa,) = (
        result
        for result in record["evaluation_results"]
        if result["metric_config"]["metric_id"] == "tsa"
    )
    assert tsa["score_details"]["score"] == 1.0
    # Wilson's interval of 3 in 3.
    interval = tsa["score_details"]["uncertainty"]["confidence_interval"]
    assert interval["lower"] == pytest.approx(0.4385, abs=1e-4)
    assert (interval["upper"], interval["method"]) == (1.0, "wilson")
    first: dict[str, Any] = json.loads(samples.read_text(encoding="utf-8").splitlines()[0])
    assert first["interaction_type"] == "multi_turn"
    roles = [message["role"] for message in first["messages"]]
    assert roles == ["system", *["user", "assistant"] * 3]
    assert first["messages"][2]["reasoning_trace"] == "Hm."
    assert first["token_usage"]["total_tokens"] == 39
    assert first["performance"]["latency_ms"] == 1_500
    assert first["input"]["reference"] == ["red"]
    assert first["evaluation"] == {"score": 1.0, "is_correct": True, "num_turns": 3}
    (answer,) = first["answer_attribution"]
    assert (answer["turn_idx"], answer["extracted_value"]) == (6, "red")


@pytest.mark.parametrize(("most_asks", "n_readings"), [(20_000, 1), (12, 4), (1, 7)])
def test_asks_of_several_models_are_read_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_asks: int, n_readings: int
) -> None:
    """Seven models of three episodes, two asks each: two of them have no more than twelve."""
    ended = moments("w blue 60", "done red 60 red")
    played = [
        replace(one, says_otherwise={"user": f"asked of {number}"})
        for number in range(7)
        for one in scenes(Played(ended, model=f"lab/model-{number}"), 3)
    ]
    run = write_run(tmp_path / "run", played)
    read: list[object] = []
    rows = Reading.rows

    def counted(self: Reading, sql: str, **values: object) -> list[Row]:
        read.extend([values["names"]] if "names" in values else [])
        return rows(self, sql, **values)

    monkeypatch.setattr(Reading, "rows", counted)
    monkeypatch.setattr(batches, "MOST_ASKS", most_asks)
    written = write_eee(run, tmp_path / "out", version="1")
    assert len(read) == n_readings
    samples = [path for path in written if path.suffix == ".jsonl"]
    assert len(samples) == 7
    for number, path in enumerate(samples):
        said = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert [one["evaluation"]["num_turns"] for one in said] == [2, 2, 2]
        assert {one["input"]["raw"] for one in said} == {f"asked of {number}"}
