"""marktest's run directories written by hand: what the hand did, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.contract.columns import columns_of
from mirror_ray.families.marktest.conditions import CONDITIONS
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from support.analysis.identities import identity

MARKTEST_STEPS = with_family_columns(STEPS, columns_of("marktest").steps)
MARKTEST_EPISODES = with_family_columns(EPISODES, columns_of("marktest").episodes)


@dataclass(frozen=True)
class Did:
    """One step: its action, what a touch met, what was claimed, and the mark's pixels.

    Args:
        seen_px: of the mark, in the reflection, or directly where the condition shows it so.
    """

    action: str
    touched: str | None = None
    claim: str = "nothing"
    image_as: str | None = None
    seen_px: int = 0


@dataclass(frozen=True)
class Reached:
    """One episode."""

    did: tuple[Did, ...]
    condition: str = "marked"
    model: str = "lab/a"
    scene_seed: int = 0
    error_kind: str = "none"
    variant: str = "plain"

    def identity(self) -> dict[str, Any]:
        return identity("marktest", self.condition, self.model, self.variant, self.scene_seed)

    def episode_row(self) -> dict[str, Any]:
        condition = CONDITIONS[self.condition]
        is_over = any(one.action == "end" or one.touched == "mark" for one in self.did)
        is_whole = self.error_kind == "none"
        return {
            **dict.fromkeys(MARKTEST_EPISODES.names),
            **self.identity(),
            "n_steps": len(self.did),
            "n_asks": len(self.did),
            "terminated": is_whole and is_over,
            "truncated": is_whole and not is_over,
            "error_kind": self.error_kind,
            "finished_at": "2026-01-01T00:00:00+00:00",
            "marked": condition.marked,
            "site": "forehead",
            "mark_color": "green",
            "reflector": condition.reflector,
            "opposite": condition.opposite,
            "least_steps": 8,
            "help": self.variant.partition("help=")[2] or "goal",
            "history": 1,
            "max_steps": 30,
            "image_width_px": 640,
            "image_height_px": 480,
            "encoding": "png",
        }

    def step_rows(self) -> list[dict[str, Any]]:
        return [self._step_row(step, one) for step, one in enumerate(self.did, start=1)]

    def _step_row(self, step: int, did: Did) -> dict[str, Any]:
        is_direct = CONDITIONS[self.condition].marked in ("other", "glass", "hand")
        return {
            **dict.fromkeys(MARKTEST_STEPS.names),
            **self.identity(),
            "ask": step,
            "step": step,
            "role": "subject",
            "superseded": False,
            "error_kind": self.error_kind,
            "action": did.action,
            "hand_mark_m": 0.04 if did.touched == "mark" else 0.3,
            "touched": did.touched,
            "claim": did.claim,
            "image_as": did.image_as,
            **dict.fromkeys(columns_of("marktest").facts, 0),
            "mark_direct_px": did.seen_px if is_direct else 0,
            "mark_reflection_px": 0 if is_direct else did.seen_px,
        }


def varied_reaches() -> list[Reached]:
    """Something for every view: every condition, both models, a failure and an impossibility."""
    finds = (Did("up", claim="own", image_as="self", seen_px=90), Did("touch", "mark", "own"))
    reaches = (Did("forward", claim="glass", seen_px=90), Did("touch", "image"), Did("end"))
    gives_up = (Did("end", image_as="other"),)
    played = [
        Reached(did, condition, f"lab/{model}", seed)
        for seed in range(3)
        for condition in ("marked", "visible", "sham", "glass", "other", "no-mirror")
        for model, did in (("a", finds if seed else gives_up), ("b", reaches))
        if condition in ("marked", "visible") or did is gives_up
    ]
    return [
        *played,
        Reached(gives_up, scene_seed=7, error_kind="server"),
        Reached(gives_up, scene_seed=8, variant="plain+help=told"),
        # A mark that is seen and touched where there is none.
        replace(Reached(finds, "sham", scene_seed=9), model="lab/c"),
    ]


def write_marktest_run(directory: Path, reached: Sequence[Reached]) -> str:
    """Write the shards of a run."""
    for kind, schema, rows in (
        ("steps", MARKTEST_STEPS, [row for one in reached for row in one.step_rows()]),
        ("episodes", MARKTEST_EPISODES, [one.episode_row() for one in reached]),
    ):
        path = directory / kind / "family=marktest" / "part-000000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return str(directory)
