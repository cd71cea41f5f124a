"""contingency's run directories written by hand: what was answered, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.contract.columns import columns_of
from mirror_ray.families.contingency.conditions import CONDITIONS
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from support.analysis.identities import identity

CONTINGENCY_STEPS = with_family_columns(STEPS, columns_of("contingency").steps)
CONTINGENCY_EPISODES = with_family_columns(EPISODES, columns_of("contingency").episodes)


@dataclass(frozen=True)
class Watched:
    """One episode; the own image, where it is there, is on the left screen.

    Args:
        answers: what was answered at each step.
        apart_at: the step from which on the other two are elsewhere than the own image.
        moved_at: the step from which on the own hand is elsewhere than at first.
    """

    answers: tuple[str | None, ...]
    condition: str = "twin"
    model: str = "lab/a"
    scene_seed: int = 0
    apart_at: int = 2
    moved_at: int = 2
    error_kind: str = "none"
    variant: str = "plain"

    def identity(self) -> dict[str, Any]:
        return identity("contingency", self.condition, self.model, self.variant, self.scene_seed)

    def episode_row(self) -> dict[str, Any]:
        condition = CONDITIONS[self.condition]
        is_whole, last = self.error_kind == "none", self.answers[-1]
        return {
            **dict.fromkeys(CONTINGENCY_EPISODES.names),
            **self.identity(),
            "n_steps": len(self.answers),
            "n_asks": len(self.answers),
            "terminated": is_whole and last not in (None, "unsure"),
            "truncated": is_whole and last in (None, "unsure"),
            "error_kind": self.error_kind,
            "finished_at": "2026-01-01T00:00:00+00:00",
            "own_place": "left" if condition.has_own else "none",
            "follows": [image.follows for image in condition.images],
            "wears": [image.wears for image in condition.images],
            "own_shirt": "red",
            "delay": int(self.variant.partition("delay=")[2] or 2),
            "frames": 2,
            "history": 3,
            "max_steps": 8,
            "image_width_px": 960,
            "image_height_px": 400,
            "encoding": "png",
        }

    def step_rows(self) -> list[dict[str, Any]]:
        return [self._step_row(step, one) for step, one in enumerate(self.answers, start=1)]

    def _step_row(self, step: int, answer: str | None) -> dict[str, Any]:
        is_apart = step >= self.apart_at
        differs = [False, is_apart, is_apart] if CONDITIONS[self.condition].has_own else None
        return {
            **dict.fromkeys(CONTINGENCY_STEPS.names),
            **self.identity(),
            "ask": step,
            "step": step,
            "role": "subject",
            "superseded": False,
            "error_kind": self.error_kind,
            "move": "up",
            "answer": answer,
            "has_moved": step >= self.moved_at,
            "differs": differs,
            "hand_px": [900] * 3,
            "hand_x_px": [200.0, 500.0, 800.0],
            "hand_y_px": [210.0] * 3,
        }


def varied_watchers() -> list[Watched]:
    """Something for every view: every condition, two models, a failure, no answer."""
    played = [
        Watched(answers, condition, f"lab/{model}", seed)
        for seed in range(3)
        for condition in CONDITIONS
        for model, answers in (
            ("a", ("unsure", "unsure", "left" if seed else "none")),
            ("b", (("right", "middle", "left")[seed],)),
        )
    ]
    return [
        *played,
        Watched(("left",), scene_seed=7, error_kind="server"),
        Watched(("unsure", None), scene_seed=8),
        Watched(("left",), scene_seed=8, variant="plain+delay=1"),
    ]


def write_contingency_run(directory: Path, watched: Sequence[Watched]) -> str:
    """Write the shards of a run."""
    for kind, schema, rows in (
        ("steps", CONTINGENCY_STEPS, [row for one in watched for row in one.step_rows()]),
        ("episodes", CONTINGENCY_EPISODES, [one.episode_row() for one in watched]),
    ):
        path = directory / kind / "family=contingency" / "part-000000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return str(directory)
