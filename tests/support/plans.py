"""Plans made by hand, for tests that need no sweep file."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep
from support.loopback import Loopback

ONE_OF_EACH = EngineSettings(simulators=1, providers=1)
"""A second Simulator takes seconds to start, a second Provider as many to import litellm, and what
is played here is over by then."""

CONDITIONS = ("E1", "E2", "E3", "E4", "E5")


def scripted(agent: str, latency_s: float = 0.0) -> Model:
    return Model(
        name=f"scripted/{agent}",
        backend="scripted",
        target=agent,
        limits=Limits(f"scripted/{agent}"),
        latency_s=latency_s,
    )


def hosted(server: Loopback, agent: str) -> Model:
    """`agent` behind the loopback server; it may carry a fault, as in ``blind~status-503~1``."""
    return Model(
        name=f"local/{agent}",
        backend="hosted",
        target=f"hosted_vllm/{agent}",
        limits=Limits(f"local/{agent}"),
        base_url=server.base_url,
        usd_per_mtok_in=1.0,
        usd_per_mtok_out=2.0,
        timeout_s=100.0,
    )


def plan_of(
    out: Path | str,
    models: Sequence[Model],
    *,
    conditions: Sequence[str] = CONDITIONS,
    seeds: int = 1,
    runs: int = 1,
    axes: tuple[tuple[str, Scalar], ...] = (),
    engine: EngineSettings | None = None,
    budget_usd: float | None = None,
) -> Plan:
    cells = tuple(
        Cell("selfid", condition, (("subject", model.name),), 0.2, "paper", axes)
        for condition, model in product(conditions, models)
    )
    episodes = tuple(
        EpisodeSpec(cell, seed, run)
        for seed, run, cell in product(range(seeds), range(runs), cells)
    )
    resolved = {"models": [model.name for model in models], "episodes": len(episodes)}
    return Plan(
        sweep=Sweep(
            name="test",
            source="by hand",
            out=str(out),
            budget_usd=budget_usd,
            engine=engine or ONE_OF_EACH,
            resolved=resolved,
        ),
        cells=cells,
        episodes=episodes,
        models={model.name: model for model in models},
    )


def together(*plans: Plan) -> Plan:
    """One plan of all of them, into the first one's directory."""
    return replace(
        plans[0],
        cells=tuple(cell for plan in plans for cell in plan.cells),
        episodes=tuple(spec for plan in plans for spec in plan.episodes),
        models={name: model for plan in plans for name, model in plan.models.items()},
    )
