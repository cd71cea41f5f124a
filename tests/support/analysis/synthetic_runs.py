"""Run directories written by hand: short trajectories in the records' real schemas."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import content_hash
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

SELFID_STEPS = with_family_columns(STEPS, columns_of("selfid").steps)
SELFID_EPISODES = with_family_columns(EPISODES, columns_of("selfid").episodes)


@dataclass(frozen=True)
class Moment:
    """One step: the action and the statement, and how much of the ego's own reflection was in the
    frame."""

    action: str | None
    says: str | None = "unknown"
    sees_px: int = 0
    cube: str | None = "none"
    superseded: bool = False
    x_m: float = 0.0
    says_otherwise: Mapping[str, Any] = field(default_factory=dict)
    """Column → the recorded value of this step instead."""


def moments(*texts: str) -> tuple[Moment, ...]:
    """``"done red 80 blue"``: action, identification, reflection's pixels, selected cube."""
    parsed = []
    for text in texts:
        action, says, *rest = text.split()
        parsed.append(
            Moment(action, says, int(rest[0]) if rest else 0, rest[1] if len(rest) > 1 else "none")
        )
    return tuple(parsed)


@dataclass(frozen=True)
class Played:
    """One episode to be written."""

    moments: tuple[Moment, ...]
    condition: str = "E1"
    model: str = "scripted/observer"
    scene_seed: int = 0
    run: int = 0
    temperature: float | None = 0.2
    variant: str = "paper"
    take: int = 1
    truth: str = "red"
    cubes: tuple[str, ...] = ("red", "blue", "green")
    error_kind: str = "none"
    image: tuple[int, int] = (640, 480)
    max_steps: int = 100
    branch_of: "Played | None" = None
    branch_step: int = 0
    says_otherwise: Mapping[str, Any] = field(default_factory=dict)
    """Column → the wrong recorded value, in every row that has it."""

    @property
    def episode_id(self) -> str:
        return content_hash(
            self.condition, self.model, self.scene_seed, self.run, self.temperature, self.variant
        )

    @property
    def done(self) -> bool:
        return any(moment.action == "done" for moment in self.moments)

    def identity(self) -> dict[str, Any]:
        return {
            "sweep": "synthetic",
            "family": "selfid",
            "condition": self.condition,
            "model": self.model,
            "cell_id": content_hash(self.condition, self.model, self.temperature, self.variant),
            "episode_id": self.episode_id,
            "scene_seed": self.scene_seed,
            "run": self.run,
            "temperature": self.temperature,
            "variant": self.variant,
            "take": self.take,
        }

    def episode_row(self) -> dict[str, Any]:
        ok = self.error_kind == "none"
        return {
            **dict.fromkeys(SELFID_EPISODES.names),
            **self.identity(),
            "n_steps": self.branch_step + sum(not moment.superseded for moment in self.moments),
            "n_asks": len(self.moments),
            "terminated": ok and self.done,
            "truncated": ok and not self.done,
            "error_kind": self.error_kind,
            "finished_at": "2026-01-01T00:00:00+00:00",
            "ego_color": self.truth,
            "cube_colors": list(self.cubes),
            # The first where the ego starts, the others ever farther east.
            "cube_x_m": [2.0 * index for index in range(len(self.cubes))],
            "cube_y_m": [0.0] * len(self.cubes),
            "mirror_present": self.condition != "E2",
            "image_width_px": self.image[0],
            "image_height_px": self.image[1],
            "max_steps": self.max_steps,
            "parent_id": self.branch_of.episode_id if self.branch_of else None,
            "branch_step": self.branch_step if self.branch_of else None,
        } | self._wrong(SELFID_EPISODES)

    def step_rows(self) -> list[dict[str, Any]]:
        rows, step = [], 1 + self.branch_step
        for ask, moment in enumerate(self.moments, start=1):
            rows.append(
                {
                    **dict.fromkeys(SELFID_STEPS.names),
                    **self.identity(),
                    "ask": ask,
                    "step": step,
                    "role": "subject",
                    "superseded": moment.superseded,
                    "error_kind": "none",
                    "action": moment.action,
                    "identification": moment.says,
                    "selected_cube": moment.cube,
                    "x_m": moment.x_m,
                    "y_m": 0.0,
                    "ego_reflection_px": moment.sees_px,
                    "ego_direct_px": 0,
                }
                | dict(moment.says_otherwise)
                | self._wrong(SELFID_STEPS)
            )
            step += not moment.superseded
        return rows

    def _wrong(self, schema: pa.Schema) -> dict[str, Any]:
        return {name: v for name, v in self.says_otherwise.items() if name in schema.names}


def write_run(
    directory: Path, episodes: Sequence[Played], *, orphans: Iterable[Played] = ()
) -> str:
    """Write the shards of a run, one per condition; `orphans` get steps but no episode row."""
    for part, condition in enumerate(sorted({episode.condition for episode in episodes})):
        members = [episode for episode in episodes if episode.condition == condition]
        steps = [row for episode in members for row in episode.step_rows()]
        _write(directory / "steps", part, SELFID_STEPS, steps)
        _write(directory / "episodes", part, SELFID_EPISODES, [e.episode_row() for e in members])
    lost = [row for episode in orphans for row in episode.step_rows()]
    if lost:
        _write(directory / "steps", 999, SELFID_STEPS, lost)
    return str(directory)


def scenes(episode: Played, count: int) -> list[Played]:
    """The same episode in `count` scenes."""
    return [replace(episode, scene_seed=index) for index in range(count)]


def _write(root: Path, part: int, schema: pa.Schema, rows: list[dict[str, Any]]) -> None:
    path = root / "family=selfid" / f"part-{part:06d}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
