"""A run of each family whose models have names as long as hosted ones are."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.records.schemas import IDENTITY
from support.analysis.flipset_runs import varied_answers as flipset_answers
from support.analysis.flipset_runs import write_flipset_run
from support.analysis.metacog_runs import varied_answers as metacog_answers
from support.analysis.metacog_runs import write_metacog_run
from support.analysis.mirrorqa_runs import varied_questions, write_mirrorqa_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.analysis.textmirror_runs import SCHEMA, varied_readers, write_textmirror_run

HOSTED = (
    "openrouter/google/gemma-4-26b-a4b-it:nitro",
    "openrouter/mistralai/ministral-14b-2512-instruct-preview:nitro",
    "hosted_vllm/Qwen/Qwen3-VL-235B-A22B-Thinking-on-our-own-box",
    "openrouter/anthropic/claude-sonnet-4.6",
    "azure/our-deployment-of-gpt-5.1-chat-latest-2026-01-31",
)
_WHEN = "2026-01-01T00:00:00+00:00"
FAMILIES = ("flipset", "metacog", "mirrorqa", "selfid", "textmirror")


def write_hosted_run(directory: Path, family: str) -> str:
    """The family's varied run, each of its models renamed to one of `HOSTED`."""
    match family:
        case "flipset":
            write_flipset_run(directory, flipset_answers())
        case "metacog":
            write_metacog_run(directory, metacog_answers())
        case "mirrorqa":
            write_mirrorqa_run(directory, varied_questions())
        case "textmirror":
            write_textmirror_run(directory, varied_readers())
            _complete(directory)
        case _:
            write_run(directory, _selfid())
    _rename(directory)
    return str(directory)


def _selfid() -> list[Played]:
    ways = ("w unknown 60", "done red 60 red"), ("w blue 0", "done blue 60 blue"), ("w red 0",)
    return [
        episode
        for condition in ("E1", "E2", "E3", "E4", "E5")
        for number, model in enumerate("abcde")
        for temperature in (0.2, 0.7)
        for episode in scenes(
            Played(
                moments(*ways[(number + len(condition)) % 3]),
                condition=condition,
                model=model,
                temperature=temperature,
                cubes=() if condition == "E5" else ("red", "blue", "green"),
            ),
            3,
        )
    ]


def _complete(directory: Path) -> None:
    """Asks written by hand say of themselves what their episodes do."""
    (episodes,) = (directory / "episodes").rglob("*.parquet")
    rows = pq.read_table(episodes, partitioning=None).to_pylist()
    about = {row["episode_id"]: {name: row[name] for name in IDENTITY.names} for row in rows}
    for row in about.values():
        row["sweep"] = row["sweep"] or "hosted"
    pq.write_table(
        pa.Table.from_pylist([row | about[row["episode_id"]] for row in rows], schema=SCHEMA),
        episodes,
    )
    (steps,) = (directory / "steps").rglob("*.parquet")
    asks = pq.read_table(steps, partitioning=None)
    whole = [
        ask | about[ask["episode_id"]] | {"error_kind": "none", "role": "reader"}
        for ask in asks.to_pylist()
    ]
    pq.write_table(pa.Table.from_pylist(whole, schema=asks.schema), steps)


def _rename(directory: Path) -> None:
    tables = {path: pq.read_table(path, partitioning=None) for path in directory.rglob("*.parquet")}
    models = sorted({name for table in tables.values() for name in table["model"].to_pylist()})
    names = {model: HOSTED[place % len(HOSTED)] for place, model in enumerate(models)}
    for path, table in tables.items():
        rows = [_renamed(row, names) for row in table.to_pylist()]
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)


def _renamed(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    keys = ("model", "author", "editor", "reader")
    named = {key: names.get(row[key], row[key]) for key in keys if key in row}
    # Some runs written by hand have no times.
    times = {key: row[key] or _WHEN for key in ("started_at", "finished_at") if key in row}
    return row | named | times
