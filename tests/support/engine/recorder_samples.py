"""Small but complete rows and entries, under the real common schemas."""

from typing import Any

import pyarrow as pa

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import Reply
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import FinishedEpisode, WrittenEpisode
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

COST_USD = 0.01

SCHEMAS = {
    family: (
        with_family_columns(STEPS, pa.schema([pa.field("seen_px", pa.list_(pa.int32()))])),
        with_family_columns(EPISODES, pa.schema([pa.field("near", pa.bool_())])),
    )
    for family in ("alpha", "beta")
}
FORMS = {family: RowCodec(family, *schemas) for family, schemas in SCHEMAS.items()}


def reply(text: str, error_kind: ErrorKind = "none", cost_usd: float | None = COST_USD) -> Reply:
    return Reply(
        text=text,
        reasoning="because",
        finish_reason="stop",
        error_kind=error_kind,
        error=None if error_kind == "none" else "no luck",
        tokens_in=812,
        tokens_out=None,
        cost_usd=cost_usd,
        latency_s=1.25,
        attempts=2,
        model_version="m-1",
        started_at="2026-01-01T00:00:00.000+00:00",
    )


def entry(
    episode_id: str, ask: int, text: str, error_kind: ErrorKind = "none", prompt: str = "p"
) -> Entry:
    cost_usd = COST_USD if error_kind == "none" else None
    return Entry(
        episode_id=episode_id,
        ask_index=ask,
        prompt_sha=f"{prompt}{ask}",
        frame_sha=f"frame{ask}",
        facts={"mirror_px": 5120, "cube_px": [0, 310, 0], "share": 0.1 + 0.2},
        reply=reply(text, error_kind, cost_usd),
    )


def finished(
    episode_id: str, entries: list[Entry], error_kind: ErrorKind = "none", family: str = "alpha"
) -> WrittenEpisode:
    return FORMS[family].write(unwritten(episode_id, entries, error_kind, family))


def unwritten(
    episode_id: str, entries: list[Entry], error_kind: ErrorKind = "none", family: str = "alpha"
) -> FinishedEpisode:
    identity: dict[str, Any] = {
        "sweep": "s",
        "family": family,
        "condition": "E1",
        "model": "scripted/observer",
        "cell_id": "c",
        "episode_id": episode_id,
        "scene_seed": 1,
        "run": 2,
        "temperature": None,
        "variant": "paper",
        "take": 99,
    }
    episode = {
        **identity,
        "n_steps": len(entries),
        "n_asks": len(entries),
        "terminated": error_kind == "none",
        "truncated": False,
        "error_kind": error_kind,
        "finished_at": "2026-01-01T00:00:01.000+00:00",
        "near": True,
    }
    steps = tuple(
        {
            **identity,
            "ask": one.ask_index,
            "step": one.ask_index,
            "role": "subject",
            "superseded": False,
            "reply": one.reply.text,
            "error_kind": one.reply.error_kind,
            "cost_usd": one.reply.cost_usd,
            "frame_sha": one.frame_sha,
            "seen_px": one.facts["cube_px"],
        }
        for one in entries
    )
    return FinishedEpisode(family, episode, steps)
