"""dyad's run directories written by hand: what both minds of a room saw, said and chose."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.contract.columns import columns_of
from mirror_ray.families.dyad.conditions import CONDITIONS
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from support.analysis.identities import identity

DYAD_STEPS = with_family_columns(STEPS, columns_of("dyad").steps)
DYAD_EPISODES = with_family_columns(EPISODES, columns_of("dyad").episodes)

OWN, OTHER, THIRD = "red", "blue", "green"
"""The subject's colour, the other body's, and that of the cube of neither."""


@dataclass(frozen=True)
class Turn:
    """One turn: what was said and seen. `done` chooses `cube`, else it is a step."""

    done: bool = False
    cube: str = "none"
    identification: str | None = "unknown"
    tell: str | None = None
    heard_of_other: str | None = None
    heard_of_own: str | None = None
    own_image_px: int = 0
    other_px: int = 0


def chose(cube: str, **said: Any) -> Turn:
    """The last turn of who is done."""
    return Turn(done=True, cube=cube, **said)


@dataclass(frozen=True)
class Shared:
    """One episode.

    Args:
        subject, partner: their turns, one after the other; the partner's () where it has no mind.
    """

    subject: tuple[Turn, ...]
    partner: tuple[Turn, ...] = ()
    condition: str = "mirror"
    model: str = "lab/a"
    beside: str = "lab/a"
    scene_seed: int = 0
    error_kind: str = "none"
    axes: str = ""
    near: tuple[bool | None, bool | None] = field(default=(True, None))

    @property
    def variant(self) -> str:
        has_mind = CONDITIONS[self.condition].other == "mind"
        partner = f"+partner={self.beside}" if has_mind and self.beside != self.model else ""
        return f"plain{partner}{self.axes}"

    def identity(self) -> dict[str, Any]:
        return identity("dyad", self.condition, self.model, self.variant, self.scene_seed)

    def episode_row(self) -> dict[str, Any]:
        condition = CONDITIONS[self.condition]
        minds = [self.subject, self.partner] if condition.other == "mind" else [self.subject]
        is_whole = self.error_kind == "none"
        is_over = all(any(turn.done for turn in turns) for turns in minds)
        n_asks = sum(map(len, minds))
        return {
            **dict.fromkeys(DYAD_EPISODES.names),
            **self.identity(),
            "n_steps": n_asks,
            "n_asks": n_asks,
            "terminated": is_whole and is_over,
            "truncated": is_whole and not is_over,
            "error_kind": self.error_kind,
            "finished_at": "2026-01-01T00:00:00+00:00",
            "other": condition.other,
            "partner": self.beside if condition.other == "mind" else None,
            "subject_first": self.scene_seed % 2 == 0,
            "talks": condition.talks,
            "own_color": OWN,
            "other_color": OWN if condition.alike else OTHER,
            "third_color": None if condition.alike else THIRD,
            "cube_colors": [OTHER, OWN, THIRD],
            "cube_x_m": [0.0, 1.0, 2.0],
            "cube_y_m": [0.0, 1.0, 2.0],
            "mirror_wall": "north",
            "mirror_present": condition.reflector == "mirror",
            "near_at_done": self.near[0],
            "partner_near_at_done": self.near[1],
            "image_width_px": 640,
            "image_height_px": 480,
            "history": int(self.axes.partition("history=")[2] or 1),
            "encoding": "png",
            "max_steps": 40,
            "structured": "none",
        }

    def step_rows(self) -> list[dict[str, Any]]:
        turns = [
            (own_step, role, turn)
            for role, turns in (("subject", self.subject), ("partner", self.partner))
            for own_step, turn in enumerate(turns, start=1)
        ]
        in_turn = sorted(turns, key=lambda one: (one[0], one[1] != "subject"))
        return [self._step_row(step, *one) for step, one in enumerate(in_turn, start=1)]

    def _step_row(self, step: int, own_step: int, role: str, turn: Turn) -> dict[str, Any]:
        return {
            **dict.fromkeys(DYAD_STEPS.names),
            **self.identity(),
            "model": self.model if role == "subject" else self.beside,
            "ask": step,
            "step": step,
            "role": role,
            "superseded": False,
            "error_kind": self.error_kind,
            "own_step": own_step,
            "action": "done" if turn.done else "w",
            "identification": turn.identification,
            "selected_cube": turn.cube,
            "tell": turn.tell,
            "heard_of_other": turn.heard_of_other,
            "heard_of_own": turn.heard_of_own,
            "mirror_px": 4 * turn.own_image_px,
            "ego_reflection_px": turn.own_image_px,
            "other_reflection_px": [0],
            "other_px": [turn.other_px],
            "cube_px": [0, 0, 0],
            "cube_reflection_px": [0, 0, 0],
            "ego_direct_px": 0,
        }


SAW_ITSELF = Turn(own_image_px=900)
SAW_THE_OTHER = Turn(other_px=900)


def varied_rooms() -> list[Shared]:
    """Something for every view: all conditions, two models each with each, a failure, no choice,
    something that cannot be."""
    played = []
    for seed in range(3):
        for name, condition in CONDITIONS.items():
            for model, beside in (("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")):
                if condition.other != "mind" and model != beside:
                    continue
                own = (OWN, OWN, THIRD)[seed] if model == "a" else OTHER
                others = OTHER if beside == "a" else OWN
                partner = (SAW_THE_OTHER, chose(others)) if condition.other == "mind" else ()
                heard = (
                    {"heard_of_own": OWN if seed else THIRD, "heard_of_other": OTHER}
                    if condition.talks
                    else {}
                )
                first = SAW_ITSELF if condition.reflector == "mirror" else Turn()
                subject = (first, SAW_THE_OTHER, chose(own, tell=OTHER, **heard))
                played.append(Shared(subject, partner, name, f"lab/{model}", f"lab/{beside}", seed))
    return [
        *played,
        Shared((chose(OWN),), (chose(OTHER),), scene_seed=7, error_kind="server"),
        Shared((Turn(), Turn()), (chose(OTHER),), scene_seed=8),
        Shared((chose(OWN),), (chose(OTHER),), scene_seed=8, axes="+history=0"),
        # Nobody says a word there: no sound run has this.
        Shared((chose(OWN, heard_of_own=OWN),), (chose(OTHER),), scene_seed=9),
    ]


def write_dyad_run(directory: Path, rooms: Sequence[Shared]) -> str:
    """Write the shards of a run."""
    for kind, schema, rows in (
        ("steps", DYAD_STEPS, [row for one in rooms for row in one.step_rows()]),
        ("episodes", DYAD_EPISODES, [one.episode_row() for one in rooms]),
    ):
        path = directory / kind / "family=dyad" / "part-000000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return str(directory)
