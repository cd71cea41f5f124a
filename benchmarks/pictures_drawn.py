"""Measure pictures drawn, and time, if many models see the same scenes, with and without a cache.

    python benchmarks/pictures_drawn.py [--models 20] [--simulators 2] [--scenes 28] [--cached-only]

The models are offline agents that do not look, under different names. FlipSet plays L2, ToM and MR
once per scene. selfid plays the first step of E1 to E5, because all models start at the same place;
once their paths differ, a cache does not help. Distinct views are counted from the episodes, before
anything is drawn.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

# Set before OpenGL or OpenBLAS is loaded, as in a Simulator.
os.environ.update(LP_NUM_THREADS="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

from rich.console import Console
from rich.table import Table

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.driver.run_summary import RunSummary
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep


@dataclass(frozen=True, slots=True)
class Case:
    """A family's episodes of one picture each, and the agent that plays all models."""

    family: str
    conditions: tuple[str, ...]
    agent: str
    axes: tuple[tuple[str, Scalar], ...] = ()


CASES = (
    Case("flipset", ("L2", "ToM", "MR"), "position-biased"),
    Case("selfid", ("E1", "E2", "E3", "E4", "E5"), "mute", (("max_steps", 1),)),
)


def main() -> None:
    """Play each case without and with a cache, and print both."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--models", type=int, default=20)
    options.add_argument("--simulators", type=int, default=2)
    options.add_argument("--scenes", type=int, default=28)
    options.add_argument(
        "--cached-only", action="store_true", help="skip the slow case without a cache"
    )
    chosen = options.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 120)
    table = Table("family", "cache", title=f"{chosen.models} models, the same scenes")
    for title in ("asked for", "distinct", "drawn", "of distinct", "s", "Simulator"):
        table.add_column(title, justify="right")
    for case in CASES:
        names = [f"pretended/{number}" for number in range(chosen.models)]
        specs = episodes(case, names, chosen.scenes)
        distinct = len({view for spec in specs for view in first_views(spec)})
        for cache_bytes in (None,) if chosen.cached_only else (0, None):
            engine = EngineSettings(simulators=chosen.simulators, picture_cache_bytes=cache_bytes)
            summary = play(specs, {name: model_of(name, case.agent) for name in names}, engine)
            drawn = summary.pictures_drawn
            table.add_row(
                case.family,
                "none" if cache_bytes == 0 else "usual",
                f"{drawn + summary.pictures_reused:,}",
                f"{distinct:,}",
                f"{drawn:,}",
                f"{drawn / distinct:.2f}",
                f"{summary.playing_s:.1f}",
                f"{summary.simulator_mib or 0.0:.0f} MiB",
            )
    console.print(table)
    console.print(f"{chosen.simulators} Simulators, {os.cpu_count()} cores")


def episodes(case: Case, models: Sequence[str], scenes: int) -> tuple[EpisodeSpec, ...]:
    """Return the episodes of all models on each scene."""
    cells = [
        Cell(case.family, condition, (("subject", model),), 0.0, "paper", case.axes)
        for condition, model in product(case.conditions, models)
    ]
    return tuple(EpisodeSpec(cell, seed, 0) for seed, cell in product(range(scenes), cells))


def first_views(spec: EpisodeSpec) -> tuple[object, ...]:
    """Return the views of an episode's first request."""
    return next(FAMILIES[spec.cell.family].play(spec, spec.rng())).views


def model_of(name: str, agent: str) -> Model:
    """Return the agent under a separate name and key."""
    return Model(name, "scripted", agent, Limits(name))


def play(
    specs: Sequence[EpisodeSpec], models: dict[str, Model], engine: EngineSettings
) -> RunSummary:
    """Play one run into a separate directory."""
    with TemporaryDirectory() as parent:
        plan = Plan(
            sweep=Sweep("pictures", __file__, str(Path(parent) / "run"), None, engine, {}),
            cells=tuple(dict.fromkeys(spec.cell for spec in specs)),
            episodes=tuple(specs),
            models=models,
        )
        return play_plan(plan, console=Console(stderr=True), plain=True)


if __name__ == "__main__":
    main()
