"""Hash a plan's first prompts, which tells whether another release words them differently."""

from contextlib import closing, suppress
from typing import Any

from mirror_ray.contract.family import advance
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import Ask
from mirror_ray.sweep.plan import Plan

_MOST = 200


def first_prompts(plan: Plan) -> dict[str, Any]:
    """Return family, condition and variant → an episode of it, and the hash of what that asks
    first.

    Episodes that cannot begin are left out: playing them reports why.
    """
    found: dict[str, Any] = {}
    for spec in plan.episodes:
        cell = spec.cell
        what = f"{cell.family} {cell.condition} {cell.variant_label}"
        if what in found or len(found) >= _MOST:
            continue
        found[what] = {"episode": spec.episode_id, "sha": None}
        with suppress(Exception), closing(FAMILIES[cell.family].play(spec, spec.rng())) as play:
            ask = advance(play)
            if isinstance(ask, Ask):
                found[what]["sha"] = ask.prompt_sha
    return found
