"""Replies for rescoring, and readers that read them otherwise than the run did."""

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from mirror_ray.core.types import Reply, Request
from mirror_ray.families.selfid.reply import read_reply
from support.shard_rows import rows_of

PLAYED = import_module("mirror_ray.families.selfid.play")
COLORS = ("red", "green", "unknown", "blue")


def said(request: Request, **changes: Any) -> str:
    step = request.ask_index
    keys = {
        "view-description": f"a room {step}",
        "reasoning": "I turn",
        "action": "wasd"[step % 4],
        "summary": f"step {step}",
        "selected_cube": "none",
        "identification": COLORS[step % 4],
    }
    return json.dumps(keys | changes)


def paid(text: str) -> Reply:
    return Reply(
        text,
        cost_usd=0.1 + 0.2,
        tokens_in=812,
        latency_s=1 / 3,
        attempts=2,
        started_at="2026-01-01T00:00:00.000+00:00",
    )


def clean(request: Request) -> Reply:
    return paid(said(request))


def messy(request: Request) -> Reply:
    """Fences, misspellings, lone surrogates, half a reply, and a refusal to end with."""
    shapes = (
        f"```json\n{said(request)}\n```",
        said(request, action="Forward", identification="I am red"),
        said(request, summary="caf\u00e9 \ud83d and on", reasoning="\udc00"),
        said(request)[:40],
        "\ud83d " + said(request),
    )
    text = shapes[(request.ask_index + int(request.episode_id, 16)) % len(shapes)]
    if request.ask_index == 4 and int(request.episode_id, 16) % 2:
        return replace(paid(""), error_kind="refusal", error="no")
    return paid(text)


def read_shyly(reply, condition, language="en"):
    """Another parser: whoever has not said done has identified nothing."""
    parsed, decision = read_reply(reply, condition, language)
    if decision is not None and decision.action != "done":
        decision = replace(decision, identification="unknown")
        parsed = replace(parsed, status="coerced", fixes=(*parsed.fixes, "shy"))
    return parsed, decision


def read_strictly(reply, condition, language="en"):
    """Another parser: misspellings are not forgiven."""
    parsed, decision = read_reply(reply, condition, language)
    if parsed.status != "strict":
        return replace(parsed, value=None, status="failed", problem="not strict"), None
    return parsed, decision


def shards(out: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in out.rglob("*.parquet")}


def latest(out: Path, kind: str) -> list[dict[str, Any]]:
    rows = rows_of(out, kind)
    takes = {row["episode_id"]: row["take"] for row in rows_of(out, "episodes")}
    return [row for row in rows if row["take"] == takes[row["episode_id"]]]
