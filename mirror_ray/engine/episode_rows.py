"""Makes the rows of a played episode: the common columns, then the family's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any, TypeAlias

import pyarrow as pa

from mirror_ray.contract.family import Family, with_fixes_before_reading
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec, content_hash
from mirror_ray.core.known_costs import sum_if_known
from mirror_ray.core.types import Ask, Facts, Outcome, Reply
from mirror_ray.core.untrusted import bounded_int
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import FinishedEpisode, WrittenEpisode
from mirror_ray.records.shards.reader import REPLY_COLUMNS, Schemas

FAMILY_MAY_WRITE: frozenset[str] = frozenset({"parse_status", "parse_fixes", "superseded"})
"""Common step columns that only the family can fill."""

AskRow: TypeAlias = Mapping[str, Any]


class _EverySchema(Mapping[str, tuple[pa.Schema, pa.Schema]]):
    """Each family's columns. A family is imported when it is looked up."""

    def __getitem__(self, name: str) -> tuple[pa.Schema, pa.Schema]:
        return FAMILIES[name].schemas

    def __contains__(self, name: object) -> bool:
        return name in FAMILIES

    def __iter__(self) -> Iterator[str]:
        return iter(FAMILIES)

    def __len__(self) -> int:
        return len(FAMILIES)


def row_schemas(families: Iterable[str] | None = None) -> Schemas:
    """Return the columns of each family's steps and episodes; None means every family."""
    every = _EverySchema()
    return every if families is None else {name: every[name] for name in families}


def ask_row(index: int, ask: Ask, frame_sha: str | None, reply: Reply) -> AskRow:
    """Return the common columns of a request except the episode's identity. `index` counts from
    1."""
    return {
        "ask": index,
        "step": ask.step,
        "role": ask.role,
        "system_sha": _system_sha(ask.system),
        "system": ask.system,
        "user": ask.user,
        "reply": reply.text,
        "failed_attempts": [asdict(attempt) for attempt in reply.failed_attempts],
        "frame_sha": frame_sha,
        **{name: getattr(reply, name) for name in REPLY_COLUMNS},
    }


_system_sha = lru_cache(maxsize=256)(content_hash)


def check_columns(family: Family, outcome: Outcome, n_asks: int) -> None:
    """Raise ValueError if the outcome does not fit the family's columns or the requests made."""
    if len(outcome.steps) != n_asks:
        raise ValueError(f"{len(outcome.steps)} step rows for {n_asks} asks")
    stray = set(outcome.fields) - set(family.episode_columns.names)
    known = FAMILY_MAY_WRITE.union(family.step_columns.names)
    for step in outcome.steps:
        stray |= step.keys() - known
    if stray:
        raise ValueError(f"{family.name} wrote columns it does not declare: {sorted(stray)}")


def finished_episode(
    family: Family,
    spec: EpisodeSpec,
    *,
    sweep: str,
    asks: Sequence[AskRow],
    outcome: Outcome,
    error: str | None,
    wall_s: float | None,
) -> FinishedEpisode:
    """Return the rows of an episode; the Recorder fills in `take`.

    Args:
        asks: the common columns of each request, from `ask_row`.
        outcome: with as many `steps` as requests, or with none, so that step columns are NULL.
        error: one readable line, if any.
        wall_s: None if its process died.
    """
    identity = _identity(spec, sweep)
    family_steps: Sequence[Facts] = outcome.steps or [{} for _ in asks]
    unset = dict.fromkeys((*family.step_columns.names, *FAMILY_MAY_WRITE))
    steps = tuple(
        {
            **identity,
            # The model that was called, which may be a partner of the cell's own.
            "model": dict(spec.cell.models).get(ask["role"], spec.cell.model),
            **ask,
            **unset,
            "superseded": False,
            **with_fixes_before_reading(columns, ask["reply"]),
        }
        for ask, columns in zip(asks, family_steps, strict=True)
    )
    episode = {
        **identity,
        "n_steps": max((ask["step"] for ask in asks), default=0),
        "n_asks": len(asks),
        "terminated": outcome.terminated,
        "truncated": outcome.truncated,
        "error_kind": outcome.error_kind,
        "error": error,
        "cost_usd": sum_if_known([ask["cost_usd"] for ask in asks]),
        "tokens_in": bounded_int(sum_if_known([ask["tokens_in"] for ask in asks])),
        "tokens_out": bounded_int(sum_if_known([ask["tokens_out"] for ask in asks])),
        "wall_s": wall_s,
        "finished_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        **dict.fromkeys(family.episode_columns.names),
        **outcome.fields,
    }
    return FinishedEpisode(family.name, episode, steps)


def written_episode(
    form: RowCodec, finished: FinishedEpisode
) -> tuple[FinishedEpisode, WrittenEpisode]:
    """Return an episode's rows as they are kept. A value that fits no column makes the episode
    fail."""
    try:
        return finished, form.write(finished)
    except Exception as slip:
        # Any failure affects only its own episode.
        error = f"{type(slip).__name__}: {slip}"
    failed = {"terminated": False, "truncated": False, "error_kind": "internal", "error": error}
    fitting = form.fitting(replace(finished, episode={**finished.episode, **failed}))
    return fitting, form.write(fitting)


@cache
def codec_of(family: str) -> RowCodec:
    """Return the codec for the rows of a family's episodes. The cache's key is the family's name,
    because hashing two schemas takes longer than writing an episode's rows."""
    return RowCodec(family, *FAMILIES[family].schemas)


def _identity(spec: EpisodeSpec, sweep: str) -> dict[str, Any]:
    cell = spec.cell
    return {
        "sweep": sweep,
        "family": cell.family,
        "condition": cell.condition,
        "model": cell.model,
        "cell_id": cell.cell_id,
        "episode_id": spec.episode_id,
        "scene_seed": spec.scene_seed,
        "run": spec.run,
        "temperature": cell.temperature,
        "variant": cell.variant_label,
    }
