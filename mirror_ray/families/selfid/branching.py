"""Branches: an ended episode is played again up to a step, then continues under another condition.

They are ours, not the paper's: the same model in front of the same mirror, then a change."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import groupby, product
from typing import Any

from mirror_ray.contract.family_files import axis_value
from mirror_ray.contract.listing import Earlier, Listing, Shape
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.selfid.actions import PastStep
from mirror_ray.families.selfid.conditions import CONDITIONS

EVIDENCE_PX = 50
"""A step is a default start of a branch if it shows this many pixels of one's own reflection, at
640×480 and scaled by area."""

_TYPICAL_STEP = 5
_STEPS = f"""
select
    episodes.scene_seed,
    episodes.run,
    episodes.episode_id,
    steps.step,
    steps.action,
    coalesce(steps.thought, '') as reasoning,
    coalesce(steps.summary, '') as summary,
    steps.ego_reflection_px * 640 * 480
    >= {EVIDENCE_PX} * episodes.image_width_px * episodes.image_height_px as has_evidence
from episodes
inner join steps using (episode_id)
where
    episodes.cell_id = $parent
    and episodes.error_kind = 'none'
    and not steps.superseded
order by episodes.scene_seed, episodes.run, steps.step
"""  # noqa: S608 - a number of our own


def steps_before(spec: EpisodeSpec) -> tuple[PastStep, ...]:
    """Return the parent's steps that a branch begins with; none for any other episode."""
    return tuple(PastStep(**step) for step in spec.given.get("steps", ()))


def listings() -> dict[str, Listing]:
    """Return how the episodes of every branching condition are listed."""
    return {
        name: Listing(episodes=_branches, after=(condition.parent,), presumed=_presumed)
        for name, condition in CONDITIONS.items()
        if condition.parent is not None
    }


def _branches(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    if earlier is None:
        raise ValueError(f"{cell.condition} follows from {CONDITIONS[cell.condition].parent}")
    scenes = set(product(shape.seeds, range(shape.runs)))
    played = earlier.rows(_STEPS, parent=_parent(cell).cell_id)
    for (scene_seed, run), rows in groupby(played, lambda row: (row["scene_seed"], row["run"])):
        steps = list(rows)
        at = _branching_step(cell, steps)
        if (scene_seed, run) in scenes and at is not None and at < len(steps):
            before = [
                PastStep(row["action"], row["reasoning"], row["summary"]) for row in steps[:at]
            ]
            yield _branch(cell, scene_seed, run, steps[0]["episode_id"], before)


def _presumed(cell: Cell, shape: Shape, _: Sequence[EpisodeSpec]) -> Iterator[EpisodeSpec]:
    at = _axis(cell) or _TYPICAL_STEP
    step = PastStep("a", "I turn to look around the room.", "turned left, seen walls and cubes")
    for scene_seed, run in product(shape.seeds, range(shape.runs)):
        parent = EpisodeSpec(_parent(cell), scene_seed, run)
        yield _branch(cell, scene_seed, run, parent.episode_id, [step] * at)


def _branch(
    cell: Cell, scene_seed: int, run: int, parent_id: str, steps: Iterable[PastStep]
) -> EpisodeSpec:
    given = {"parent_id": parent_id, "steps": [asdict(step) for step in steps]}
    return EpisodeSpec(cell, scene_seed, run, given)


def _parent(cell: Cell) -> Cell:
    condition = CONDITIONS[cell.condition].parent
    if condition is None:
        raise ValueError(f"{cell.condition} does not branch from another condition")
    axes = tuple((name, value) for name, value in cell.axes if name != "branch_at")
    return replace(cell, condition=condition, axes=axes)


def _branching_step(cell: Cell, steps: list[dict[str, Any]]) -> int | None:
    at = _axis(cell)
    if at:
        return at
    return next((row["step"] for row in steps if row["has_evidence"]), None)


def _axis(cell: Cell) -> int:
    return int(axis_value(cell, "branch_at"))
