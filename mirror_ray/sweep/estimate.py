"""What a sweep can cost at most: calls, tokens, money, and the least time its limits allow.

Knows upper bounds from the families' own bounds and the first prompt of each cell; does not
know how long episodes really last, nor any provider's image formula.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from mirror_ray.providers.model import Model
from mirror_ray.sweep.plan import Plan
from mirror_ray.tasks import FAMILIES
from mirror_ray.types import EpisodeSpec

CHARS_PER_TOKEN = 4
TOKENS_PER_IMAGE = 1_100
"""About the dearest of the common vision models at 640×480; a few bill over ten times as much."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Upper bounds for one model; None where a price or a limit is unknown.

    Args:
        hours_at_least: time the requests-per-minute limit alone demands for `calls`.
    """

    model: str
    episodes: int
    calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    hours_at_least: float | None


def estimate(plan: Plan) -> tuple[Estimate, ...]:
    """One row per model, in the plan's order. Plays no episode beyond its first prompt."""
    by_model: dict[str, list[EpisodeSpec]] = {name: [] for name in plan.models}
    for spec in plan.episodes:
        by_model[spec.cell.model].append(spec)
    per_call: dict[str, tuple[int, int, int]] = {}
    return tuple(
        _estimate_model(plan.models[name], specs, per_call) for name, specs in by_model.items()
    )


def _estimate_model(
    model: Model, specs: Iterable[EpisodeSpec], per_call: dict[str, tuple[int, int, int]]
) -> Estimate:
    episodes = calls = tokens_in = tokens_out = 0
    for spec in specs:
        if spec.cell.cell_id not in per_call:
            per_call[spec.cell.cell_id] = _first_ask(spec, model)
        asks, each_in, each_out = per_call[spec.cell.cell_id]
        episodes += 1
        calls += asks
        tokens_in += asks * each_in
        tokens_out += asks * each_out
    cost_usd = None
    if model.backend == "scripted":
        cost_usd = 0.0
    elif model.usd_per_mtok_in is not None and model.usd_per_mtok_out is not None:
        cost_usd = (
            tokens_in * model.usd_per_mtok_in + tokens_out * model.usd_per_mtok_out
        ) / 1_000_000
    rpm = model.limits.rpm
    return Estimate(
        model=model.name,
        episodes=episodes,
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=cost_usd,
        hours_at_least=None if rpm is None else calls / rpm / 60,
    )


def _first_ask(spec: EpisodeSpec, model: Model) -> tuple[int, int, int]:
    """(asks at most, tokens in, tokens out at most) of one ask of this cell."""
    family = FAMILIES[spec.cell.family]
    play = family.play(spec, spec.rng())
    ask = next(play)
    play.close()
    words = ceil((len(ask.system) + len(ask.user)) / CHARS_PER_TOKEN)
    return (
        family.max_asks(spec),
        words + TOKENS_PER_IMAGE * len(ask.views),
        model.max_tokens or ask.max_tokens,
    )
