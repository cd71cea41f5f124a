"""A batch of sealed episodes as this program reads them, along with how they were read.

Columns that a family derives from replies are computed again; columns that record what happened are
copied. An episode that this program would have played differently, with other prompts or further
requests, is left out, because its replies answer other questions. This module writes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from mirror_ray.contract.family import Family, with_fixes_before_reading
from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Facts, Outcome
from mirror_ray.engine.episode_rows import FAMILY_MAY_WRITE, check_columns
from mirror_ray.records.rows.arrow import table_of
from mirror_ray.records.schemas import STEPS
from mirror_ray.records.shards.reader import SealedBatch, StoredRow, entries_of
from mirror_ray.replay.playback import HistoryMismatchError, Mismatch, play_back

_OUTCOME = ("terminated", "truncated", "error_kind", "error")
"""Common episode columns that are derived from the replies."""


@dataclass(frozen=True, slots=True)
class UnreadEpisode:
    """An episode that cannot be read again and stays unchanged."""

    episode_id: str
    ask: int | None
    why: Mismatch | Literal["not in the plan"]
    detail: str


@dataclass(frozen=True, slots=True)
class RescoredBatch:
    """The readable episodes' rows: the same rows in two tables, as recorded and as read now.

    Args:
        unfinished: episodes that a failure ended, which a later run plays again.
        step_columns, episode_columns: the columns that were derived again.
    """

    steps: tuple[pa.Table, pa.Table]
    episodes: tuple[pa.Table, pa.Table]
    step_columns: tuple[str, ...]
    episode_columns: tuple[str, ...]
    unfinished: int
    left: tuple[UnreadEpisode, ...]


def rescored_batch(
    family: Family, batch: SealedBatch, specs: Mapping[str, EpisodeSpec]
) -> RescoredBatch:
    """Play every finished episode of a batch from its record, by the specs of the run's plan. Raise
    RecordError if the family derives values that do not fit its own columns."""
    steps: list[Facts] = []
    episodes: list[Facts] = []
    left: list[UnreadEpisode] = []
    unfinished = 0
    for row, asks in batch.each():
        episode_id = row["episode_id"]
        if row["error_kind"] not in FINAL_KINDS:
            unfinished += 1
        elif episode_id not in specs:
            left.append(
                UnreadEpisode(episode_id, None, "not in the plan", "today's plan has no such one")
            )
        else:
            try:
                outcome = _outcome(family, specs[episode_id], asks)
            except HistoryMismatchError as mismatch:
                left.append(UnreadEpisode(episode_id, mismatch.ask, mismatch.kind, mismatch.detail))
                continue
            episodes.append(_episode(family, row, asks, outcome))
            steps += [
                {
                    "episode_id": episode_id,
                    "ask": ask["ask"],
                    "superseded": False,
                    **with_fixes_before_reading(columns, ask["reply"]),
                }
                for ask, columns in zip(asks, outcome.steps, strict=True)
            ]
    step_schema, episode_schema = family.schemas
    step_columns = (
        *(name for name in STEPS.names if name in FAMILY_MAY_WRITE),
        *family.step_columns.names,
    )
    episode_columns = (*_OUTCOME, *family.episode_columns.names)
    read = pa.array([row["episode_id"] for row in episodes], pa.string())
    return RescoredBatch(
        steps=_both(batch.steps, read, steps, step_schema, ("ask", *step_columns)),
        episodes=_both(batch.episodes, read, episodes, episode_schema, episode_columns),
        step_columns=step_columns,
        episode_columns=episode_columns,
        unfinished=unfinished,
        left=tuple(left),
    )


def _outcome(family: Family, spec: EpisodeSpec, asks: tuple[StoredRow, ...]) -> Outcome:
    again = play_back(family, spec, entries_of(asks, family.fact_columns))
    while True:
        try:
            next(again)
        except StopIteration as end:
            outcome: Outcome = end.value
            break
    try:
        check_columns(family, outcome, len(asks))
    except ValueError as slip:
        raise HistoryMismatchError("cannot be played", len(asks), str(slip)) from slip
    return outcome


def _episode(
    family: Family, row: StoredRow, asks: tuple[StoredRow, ...], outcome: Outcome
) -> Facts:
    failed = outcome.error_kind != "none"
    return {
        "episode_id": row["episode_id"],
        "terminated": outcome.terminated,
        "truncated": outcome.truncated,
        "error_kind": outcome.error_kind,
        "error": asks[-1]["error"] if asks and failed else None,
        **dict.fromkeys(family.episode_columns.names),
        **outcome.fields,
    }


def _both(
    old: pa.Table, read: pa.Array, rows: list[Facts], schema: pa.Schema, derived: tuple[str, ...]
) -> tuple[pa.Table, pa.Table]:
    before = _under(old.filter(pc.is_in(old["episode_id"], value_set=read)), schema)
    wanted = pa.schema([schema.field(name) for name in ("episode_id", *derived)])
    found = table_of(rows, wanted, of="rows read again")
    columns = [found[name] if name in wanted.names else before[name] for name in schema.names]
    return before, pa.Table.from_arrays(columns, schema=schema)


def _under(table: pa.Table, schema: pa.Schema) -> pa.Table:
    present = set(table.column_names)
    columns: list[Any] = [
        table[field.name].cast(field.type)
        if field.name in present
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)
