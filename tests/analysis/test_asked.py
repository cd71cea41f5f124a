"""What was sent and paid stands once, and is the same figure wherever a person meets it."""

import json
from collections.abc import Mapping
from pathlib import Path
from time import sleep
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across import costs, quality
from mirror_ray.analysis.report.contents import report_heading
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.analysis.report.shown import table_text
from mirror_ray.analysis.spending import spending
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.cli.status_waste import wasted_lines
from mirror_ray.core.types import Reply
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.live_state import LiveModel, LiveReader
from support.recorded_run import plan_for, record_run

ACTION = json.dumps({"reasoning": "x", "action": "turn_left", "identified_color": "unknown"})
FAILED = {
    "started_at": "a",
    "latency_s": 9.0,
    "error_kind": "timeout",
    "error": "",
    "cost_usd": None,
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Three episodes of four asks at 0.25 each. The first failed at its second ask, after two
    attempts, and went on in a second take; the last one's money ended before its fourth."""
    plan = plan_for(tmp_path / "run")
    record_run(
        plan,
        lambda request: Reply(
            ACTION,
            tokens_in=100,
            tokens_out=10,
            cost_usd=0.25,
            latency_s=2.0,
            started_at=f"2026-01-01T00:00:0{request.ask_index}+00:00",
        ),
    )
    first, *_, last = (spec.episode_id for spec in plan.episodes)

    def steps(row: dict[str, Any]) -> list[dict[str, Any]]:
        if row["episode_id"] == last and row["ask"] == 4:
            unsent = {"error_kind": "budget", "cost_usd": 0.0, "attempts": 0, "latency_s": 0.0}
            return [row | unsent | {"tokens_in": None, "tokens_out": None, "started_at": ""}]
        if row["episode_id"] != first:
            return [row]
        failed = {"error_kind": "server", "cost_usd": None, "attempts": 2, "tokens_in": None}
        failed |= {"started_at": "2025-12-31T00:00:00+00:00", "failed_attempts": [FAILED]}
        before = {1: [row], 2: [row | failed | {"tokens_out": None}]}.get(row["ask"], [])
        return [*before, row | {"take": 2}]

    def episodes(row: dict[str, Any]) -> list[dict[str, Any]]:
        if row["episode_id"] == last:
            return [row | {"error_kind": "budget"}]
        if row["episode_id"] == first:
            return [row | {"error_kind": "server", "n_asks": 2}, row | {"take": 2}]
        return [row]

    for folder, change in (("steps", steps), ("episodes", episodes)):
        for path in sorted((tmp_path / "run" / folder).rglob("*.parquet")):
            table = pq.read_table(path, partitioning=None)
            rows = [new for row in table.to_pylist() for new in change(row)]
            pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    (tmp_path / "run" / "journal.sqlite").unlink()
    return tmp_path / "run"


def test_asks_and_money_are_the_same_in_report_status_and_live(run: Path, capsys) -> None:
    with open_run(str(run), hold=True) as connection:
        reading = Reading(connection)
        _, _, tiles = report_heading(reading)
        told = {tile.label: tile.text for tile in tiles}
        (spent,) = spending(reading)
        tables = {
            part.name: part
            for part in costs.section(reading).parts
            if isinstance(part, ReportTable)
        }
        (paid,) = tables["asks_and_costs"].data.to_pylist()
    assert (told["replies"], told["cost"]) == ("11", "$2.75")
    assert (spent["n_asks"], spent["n_unpriced"], spent["cost_usd"]) == (11, 1, 2.75)
    assert (paid["n_asks"], paid["n_unpriced"], paid["cost_usd"]) == (11, 1, 2.75)
    assert (paid["tokens_in"], paid["n_episodes"], paid["latency_p50_s"]) == (1_100, 3, 2.0)
    assert main(["status", str(run), "--json"]) == 3
    (status,) = json.loads(capsys.readouterr().out)
    assert (status["asks"], status["n_unpriced"], status["spent_usd"]) == (11, 1, 2.75)
    live = live_of(run)
    assert (live.asks, live.n_unpriced, live.retries) == (11, 1, {"timeout": 1})
    assert (live.done, live.failed, live.unpaid) == (2, 0, 1)


def test_an_attempt_that_failed_counts_once_and_its_unknown_cost_is_no_zero(run: Path) -> None:
    with open_run(str(run), hold=True) as connection:
        (row,) = spending(Reading(connection))
    assert (row["n_failed"], row["failed_usd"]) == (2, None)
    assert (row["n_reasked"], row["reasked_usd"]) == (0, 0.0)
    assert wasted_lines(str(run)) == [
        "Bought no reading: all models: an unknown cost on failed attempts (2)."
    ]


def test_shares_of_asks_are_of_those_that_were_sent(run: Path) -> None:
    with open_run(str(run), hold=True) as connection:
        parts = quality.section(Reading(connection)).parts
    tables = {part.name: part for part in parts if isinstance(part, ReportTable)}
    (row,) = tables["asks_quality"].data.to_pylist()
    assert (row["n_asks"], row["n_errors"]) == (11, 1)


def test_what_never_went_wrong_has_no_column(run: Path) -> None:
    """All were readable, none was asked again, and the take that counts was not retried."""
    with open_run(str(run), hold=True) as connection:
        reading = Reading(connection)
        parts = (*quality.section(reading).parts, *costs.section(reading).parts)
    headings = {
        part.name: [column.heading for column in table_text(part).columns]
        for part in parts
        if isinstance(part, ReportTable)
    }
    assert headings["asks_quality"] == ["model", "ended in an error"]
    assert headings["failed_episodes"] == ["model", "episodes", "played again"]
    # What those two attempts cost is not known: a dash in every row.
    assert headings["spending"] == ["model", "cost", "failed attempts"]


def test_an_attempt_before_money_ended_is_the_only_one_of_its_ask(run: Path) -> None:
    """Of an ask that was tried once and then denied, one attempt has failed, not two."""

    def denied(row: Mapping[str, Any]) -> dict[str, Any]:
        if row["error_kind"] != "budget":
            return dict(row)
        return row | {"attempts": 1, "failed_attempts": [FAILED], "cost_usd": None}

    for path in sorted((run / "steps").rglob("*.parquet")):
        table = pq.read_table(path, partitioning=None)
        rows = [denied(row) for row in table.to_pylist()]
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    with open_run(str(run), hold=True) as connection:
        (row,) = spending(Reading(connection))
    assert (row["n_asks"], row["n_failed"], row["n_unpriced"]) == (12, 3, 2)


def live_of(run: Path) -> LiveModel:
    reader = LiveReader(str(run), read_manifest(str(run)))
    for _ in range(600):
        (model,) = reader.state().models
        if model.planned:
            return model
        sleep(0.05)
    raise AssertionError("the plan was not read")
