"""A small run with real frames, for viewing: its model writes HTML wherever it writes.

The second ask of each episode is answered without JSON and asked again; the last reply is `done`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.rollout import DrawnPicture
from mirror_ray.sweep.plan import Plan
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer
from support.recorded_run import plan_for, record_run

HOSTILE = (
    '</pre></script><script>window.harm=1</script><img src=x onerror="window.harm=2">\'">'
    "<svg onload=window.harm=3></style><a href=javascript:window.harm=4>7</a>{{ 7 * 7 }}{% raw %}"
    "&lt;b&gt;\u202ekcab \x00 \ud83d"
)
HOSTILE_MODEL = "made-up/<script>window.harm=5</script>&'\""
STEPS = 4


def viewed_run(out: Path, *, conditions: tuple[str, ...] = ("E1", "E4"), runs: int = 1) -> Plan:
    """Plays it into `out`, and renames its model."""
    renderer = Renderer()

    async def draw(view: Any) -> DrawnPicture:
        frame = renderer.draw(view)
        return DrawnPicture(encode(frame.rgb, view.encoding), frame.facts)

    plan = plan_for(out, conditions=conditions, runs=runs, max_steps=STEPS)
    record_run(plan, _says, draw=draw)
    renderer.close()
    change_rows(out, lambda row: row | {"model": HOSTILE_MODEL})
    return plan


def change_rows(out: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Changes every row of a shard, or of every shard below a folder."""
    for path in [out] if out.is_file() else out.rglob("*.parquet"):
        table = pq.read_table(path, partitioning=None)
        rows = [change(row) for row in table.to_pylist()]
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)


def _says(request: Request) -> Reply:
    if request.ask_index == 2:
        return Reply(HOSTILE, **_about())
    # The third ask repeats the second step.
    step = request.ask_index - (request.ask_index > 2)
    decided = {
        "view-description": f"step {step} {HOSTILE}",
        "reasoning": HOSTILE,
        "action": "done" if step == STEPS else "a",
        "summary": HOSTILE,
        "selected_cube": "red" if step == STEPS else "none",
        "identification": "red" if step > 2 else "unknown",
    }
    return Reply(json.dumps(decided), **_about())


def _about() -> dict[str, Any]:
    return {
        "reasoning": HOSTILE,
        "finish_reason": HOSTILE,
        "model_version": HOSTILE,
        "tokens_in": 1_234,
        "tokens_out": 56,
        "cost_usd": 0.0042,
        "latency_s": 1.5,
        "started_at": "2026-01-01T00:00:00.000+00:00",
    }
