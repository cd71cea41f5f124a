"""What a run's own model servers were reaches each episode, its report and DuckDB alone."""

from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across.provenance import servers
from mirror_ray.analysis.warehouse import open_run, write_views
from mirror_ray.core.types import Reply
from support.manifests import write_manifest
from support.recorded_run import plan_for, record_run

FIRST, SECOND = "a" * 12, "b" * 12
ANSWERED = """
select model, fingerprint, fingerprint_changed, engine, weights_commit, command_line, gpus
from metric.servers
order by first_asked_at, fingerprint"""

HELD = """
select model, server, host, holds['GPU'], began_at, ready_at, held_s, starts, why_ended
from metric.server_timeline"""
HELD_ONCE = [("own/m", 2, "gpu-1", 2.0, datetime(2026, 5, 1, 8), None, 90.0, 1, None)]


def facts(fingerprint: str, **more: Any) -> dict[str, Any]:
    said = {"engine": "vllm", "revision": "main", "argv": ["python3", "-m", "vllm"]}
    return {**said, "gpus": ["H200", "H200"], "fingerprint": fingerprint, **more}


def record(out: Path, *runs: Any) -> None:
    """Two episodes, the second one answered by another server; and what the manifest says."""
    asks = count()

    def reply(_: object) -> Reply:
        server = FIRST if next(asks) == 0 else SECOND
        text = '{"action": "done", "selected_cube": "red", "identification": "red"}'
        return Reply(text, model_version=f"m; server {server}")

    record_run(plan_for(out, runs=2), reply)
    write_manifest(out, *runs)


def answered(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return connection.execute(ANSWERED).fetchall()


def test_each_episode_names_its_server_and_a_changed_one_is_told(tmp_path: Path) -> None:
    later = facts(SECOND, weights_revision_found="c0ffee")
    served = {
        "answered": [{"model": "own/m", **facts(FIRST)}, {"model": "own/m", **later}],
        "timeline": [
            {
                **{"model": "own/m", "replica": 1, "host": "gpu-1", "holds": {"GPU": 2.0}},
                **{"began_at": "2026-05-01T10:00:00+02:00", "held_s": 90.0, "starts": 1},
            }
        ],
    }
    record(tmp_path, {"servers": served})
    command = "python3 -m vllm"
    expected = [
        ("own/m", FIRST, False, "vllm", "main", command, "H200, H200"),
        ("own/m", SECOND, True, "vllm", "c0ffee", command, "H200, H200"),
    ]
    write_views(str(tmp_path))
    with open_run(str(tmp_path)) as connection:
        assert answered(connection) == expected
        said, held = servers(Reading(connection, manifest={"runs": [{"servers": served}]}))
        assert connection.execute(HELD).fetchall() == HELD_ONCE
        assert said.data.column("which").to_pylist() == ["first", "changed"]
        assert said.data.column("n_episodes").to_pylist() == [1, 1]
        (line,) = held.data.to_pylist()
        assert (line["server"], line["held"], line["held_s"]) == ("own/m (2)", "2 GPU", 90)
        assert (line["began"], line["until"]) == ("2026-05-01 08:00:00", None)


@pytest.mark.thorough("analysis/test_warehouse.py")
def test_the_plain_command_line_has_the_same(tmp_path: Path, monkeypatch: Any) -> None:
    # As recorded by a run that kept the last facts of every model alone.
    record(tmp_path, {"servers": {"facts": {"own/m": facts(SECOND)}}})
    write_views(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        connection.execute(Path("views.sql").read_text())
        assert connection.execute(HELD).fetchall() == []
        assert [row[:4] for row in answered(connection)] == [
            ("scripted/blind", FIRST, False, None),
            ("own/m", SECOND, False, "vllm"),
        ]


HOSTILE = {
    "engine": 7,
    "argv": "rm",
    "gpus": [3, None],
    "fingerprint": ["a"],
    "weights": "a\x1b[m\n",
}


@pytest.mark.parametrize(
    "said",
    [
        [],
        {"answered": 3, "facts": 4, "timeline": 5},
        {
            "answered": [None, 3, {"model": 3, "fingerprint": FIRST}],
            "timeline": [None, {"holds": 2}],
        },
        {"facts": {"own/m": HOSTILE}, "timeline": [{"held_s": "long", "holds": {"GPU": "all"}}]},
        {"timeline": [{"model": 7, "replica": -1, "began_at": "soon", "starts": 1e400}]},
        {"timeline": [{"began_at": "0001-01-01T00:00:00+10:00", "ended_at": "2026-05-01"}]},
    ],
)
def test_a_manifest_may_say_anything(said: Any, tmp_path: Path) -> None:
    record(tmp_path, {"servers": said})
    with open_run(str(tmp_path)) as connection:
        assert [row[1:4] for row in answered(connection)] == [
            (FIRST, False, None),
            (SECOND, True, None),
        ]
        servers(Reading(connection, manifest={"runs": [{"servers": said}]}))
        for line in connection.execute(HELD).fetchall():
            assert line == (None,) * len(line)
