"""A Provider for tests, with a Limiter and a Recorder of its own or shared ones."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import ray

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.provider.actor import LINGER_S, Provider, ProviderConfig
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.providers.model import Model
from mirror_ray.providers.price_tiers import lanes_of
from support.engine.recorder_samples import SCHEMAS

ASKED = Asked("words", None, {})


def request_of(model: Model, ask_index: int = 1, episode: str = "") -> Request:
    """The words of an E1 episode's first ask, without a picture: the blind agent needs none."""
    cell = Cell("selfid", "E1", (("subject", model.name),), 0.2, "paper")
    spec = EpisodeSpec(cell, 0, 0)
    ask = next(FAMILY.play(spec, spec.rng()))
    return Request(
        episode_id=episode or uuid4().hex[:16],
        ask_index=ask_index,
        cell_id=cell.cell_id,
        model=model.name,
        system=ask.system,
        # Distinct words, so that the server counts distinct requests.
        user=f"{ask.user} {uuid4().hex}",
        images=(),
        reply_schema=None,
        temperature=0.2,
        max_tokens=100,
    )


class Actors(NamedTuple):
    run: str
    limiter: Any
    recorder: Any


def started(folder: Path, models: Sequence[Model], budget_usd: float | None = None) -> Actors:
    run = uuid4().hex
    limiter = ray.remote(Limiter).options(name=f"limiter-{run}", num_cpus=0)
    recorder = ray.remote(Recorder).options(name=f"recorder-{run}", num_cpus=0)
    ceilings = {} if budget_usd is None else {"sweep": budget_usd}
    limits = tuple(lane.limits for model in models for lane in lanes_of(model))
    return Actors(run, limiter.remote(limits, ceilings), recorder.remote(str(folder), SCHEMAS))


@asynccontextmanager
async def provider_of(
    actors: Actors | Path,
    model: Model,
    *,
    budget_usd=None,
    max_attempts=3,
    linger_s=LINGER_S,
    under_way=None,
    cancel_batches=False,
) -> AsyncIterator:
    """Yield a Provider that uses these actors, or starts actors for the run directory."""
    own = started(actors, [model], budget_usd) if isinstance(actors, Path) else None
    run, _, recorder = own or actors
    config = ProviderConfig(
        models={model.name: model},
        limiter=f"limiter-{run}",
        recorder=f"recorder-{run}",
        max_attempts=max_attempts,
        cancel_batches=cancel_batches,
    )
    provider = Provider(0, config, under_way, linger_s)
    try:
        yield provider, recorder
    finally:
        await provider.close()
        for each in own[1:] if own else ():
            ray.kill(each)
