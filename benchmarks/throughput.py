"""Measure steps per second of the whole engine, as a share of what rendering alone allows.

    python benchmarks/throughput.py [--simulators 2] [--steps 16] [--latencies 0 2] [--rounds 3]

The limit is measured before and after each run. As many bare processes as Simulators draw views
from the whole run (the cost of conditions differs twofold) in parallel, without Ray, scenes, models
or records: once drawn only, and once with each frame encoded and hashed, as a model needs it. The
engine's rate counts from the first lease to the last episode's end. The model is an agent whose
thinking costs little, with a simulated latency. Shared machines change their speed within a minute,
so medians of several rounds are shown, with the range of the shares.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice, product
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

# Set before OpenGL or OpenBLAS is loaded, as in a Simulator.
os.environ.update(LP_NUM_THREADS="0", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

from rich.console import Console
from rich.table import Table

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Observation, Reply, Turn, View
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.driver.run_summary import RunSummary
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer

AGENT = "mute"
JOBS = ("draw and encode", "draw")
TARGET = 0.8
IN_FLIGHT, IN_FLIGHT_PER_S = 64, 250
GENERATIONS = 4
"""Episodes per slot, so that a sweep's start and end are a small part of it."""

LIMIT_VIEWS = 2048
"""Number of views, from various scenes and steps, that represent the cost of a run."""

UNSEEN = Observation((), None, {})


def main() -> None:
    """Measure each latency between two measurements of the limit, and print the shares."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--simulators", type=int, default=2)
    options.add_argument("--steps", type=int, default=16, help="steps per episode")
    options.add_argument("--latencies", type=float, nargs="+", default=[0.0, 2.0])
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 120)
    table = Table("latency", "in flight", "steps/s", title="The whole engine, and rendering alone")
    for title in ("pictures/s alone", "share", "frames/s alone", "share", "Simulator"):
        table.add_column(title, justify="right")
    for latency_s in chosen.latencies:
        # Enough to keep drawing while others wait.
        in_flight = IN_FLIGHT + round(latency_s * IN_FLIGHT_PER_S)
        specs = episodes(GENERATIONS * chosen.simulators * in_flight, chosen.steps)
        engine = EngineSettings(simulators=chosen.simulators, in_flight=in_flight)
        with bare_renderers(specs, chosen.steps, chosen.simulators) as limits:
            before = [limits(job) for job in JOBS]
            rounds = []
            for _ in range(chosen.rounds):
                summary = play(specs, latency_s, engine, console)
                after = [limits(job) for job in JOBS]
                rounds.append(Round.between(summary, before, after))
                before = after
        table.add_row(f"{latency_s:g} s", str(in_flight), *cells(rounds))
    console.print(table)
    console.print(
        f"Episodes of {chosen.steps} steps over all conditions on {chosen.simulators} Simulators,"
        f" {os.cpu_count()} cores; in flight per Simulator; pictures: drawn, hashed and encoded;"
        f" medians of {chosen.rounds} rounds; target {TARGET:.0%}"
    )


@dataclass(frozen=True, slots=True)
class Round:
    """One run and the limits around it: steps/s, and pictures/s for each of `JOBS`."""

    rate: float
    limits: tuple[float, ...]
    simulator_mib: float

    @classmethod
    def between(
        cls, summary: RunSummary, before: Sequence[float], after: Sequence[float]
    ) -> "Round":
        """Return a run with the limits measured before and after it."""
        limits = tuple((one + other) / 2 for one, other in zip(before, after, strict=True))
        return cls(summary.steps / summary.playing_s, limits, summary.simulator_mib or 0.0)


def cells(rounds: Sequence[Round]) -> list[str]:
    """Return medians as the table shows them, with the shares' range."""
    shown = [f"{median(one.rate for one in rounds):.1f}"]
    for job in range(len(JOBS)):
        shares = sorted(one.rate / one.limits[job] for one in rounds)
        shown += [
            f"{median(one.limits[job] for one in rounds):.1f}",
            f"{median(shares):.0%} ({shares[0]:.0%}–{shares[-1]:.0%})",
        ]
    return [*shown, f"{max(one.simulator_mib for one in rounds):.0f} MiB"]


def episodes(count: int, steps: int) -> tuple[EpisodeSpec, ...]:
    """Return episodes of equal length, over all conditions and as many scenes as needed."""
    cells = [
        Cell("selfid", condition, (("subject", model_of(0.0).name),), None, "paper", axes)
        for condition in FAMILIES["selfid"].conditions
        for axes in [(("max_steps", steps),)]
    ]
    specs = [EpisodeSpec(cell, seed, 0) for seed, cell in product(range(count), cells)]
    return tuple(specs[:count])


def model_of(latency_s: float) -> Model:
    """Return the agent, with a simulated latency."""
    name = f"scripted/{AGENT}"
    return Model(name, "scripted", AGENT, Limits(name), latency_s=latency_s)


def play(
    specs: Sequence[EpisodeSpec], latency_s: float, engine: EngineSettings, console: Console
) -> RunSummary:
    """Play one whole run into a separate directory."""
    model = model_of(latency_s)
    with TemporaryDirectory() as parent:
        plan = Plan(
            sweep=Sweep("throughput", __file__, str(Path(parent) / "run"), None, engine, {}),
            cells=tuple(dict.fromkeys(spec.cell for spec in specs)),
            episodes=tuple(specs),
            models={model.name: model},
        )
        return play_plan(plan, console=console, plain=True)


@contextmanager
def bare_renderers(specs: Sequence[EpisodeSpec], steps: int, processes: int) -> Iterator["Limit"]:
    """Start processes with a sample of the episodes' views, ready to draw it repeatedly."""
    every = max(1, len(specs) * steps // LIMIT_VIEWS)
    sample = [
        view
        for spec in specs
        # By scene, not by position: every condition is sampled at early and late steps.
        for view in islice(views_of(spec), spec.scene_seed % every, None, every)
    ]
    spawn = get_context("spawn")
    pipes: list[Connection] = []
    workers = []
    for index in range(processes):
        ours, theirs = spawn.Pipe()
        worker = spawn.Process(target=draw_share, args=(sample[index::processes], theirs))
        worker.start()
        pipes.append(ours)
        workers.append(worker)
    for pipe in pipes:
        pipe.recv()
    try:
        yield Limit(pipes)
    finally:
        for pipe, worker in zip(pipes, workers, strict=True):
            pipe.send("end")
            worker.join()


class Limit:
    """A callable that draws everything once in all processes and returns pictures per second."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        self._pipes = pipes

    def __call__(self, job: str) -> float:
        """Return pictures/s of all processes, timed by the slowest; `job` is one of `JOBS`."""
        for pipe in self._pipes:
            pipe.send(job)
        counts, times_s = zip(*(pipe.recv() for pipe in self._pipes), strict=True)
        return float(sum(counts) / max(times_s))


def draw_share(views: Sequence[View], pipe: Connection) -> None:
    """Draw views on demand in a bare process, after a warm-up."""
    renderer = Renderer()
    for view in views:
        renderer.draw(view)
    pipe.send("ready")
    while (job := pipe.recv()) != "end":
        began_s = perf_counter()
        for view in views:
            frame = renderer.draw(view)
            if job == "draw and encode":
                encode(frame.rgb, view.encoding)
        pipe.send((len(views), perf_counter() - began_s))


def views_of(spec: EpisodeSpec) -> Iterator[View]:
    """Return the views of a walk like the agent's, which does not look, so nothing is drawn."""
    playing = FAMILIES[spec.cell.family].play(spec, spec.rng())
    with suppress(StopIteration):
        ask = next(playing)
        while True:
            (view,) = ask.views
            yield view
            # Its random choices depend on its input: here on the episode instead of a picture.
            chance = [spec.episode_id]
            text = AGENTS[AGENT](prompt_for(AGENT, ask.system, ask.user, (), contents=chance))
            ask = playing.send(Turn(UNSEEN, Reply(text)))


if __name__ == "__main__":
    main()
