"""Measure planning of 400,000 one-step episodes, and the engine's cost of one, without its model.

    python benchmarks/metacog_throughput.py [--models 16] [--seeds 5000] [--short 2000 --long 8000]

Planning is `mirror-ray plan` on a sweep of exp1 in five channels. The engine's cost is the CPU time
of all its processes (driver, Simulators, Recorder, Limiter, Ray's own) per episode, as the
difference between a long and a short run, because both include startup. The model is an agent that
replies at once; its own time is measured separately and subtracted.
"""

import argparse
import os
import sys
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep

from rich.console import Console

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec

CHANNELS = ("wagering", "opt_out", "difficulty", "tools", "natural")
AGENT = "overconfident"
PLAN_TARGET_S, ENGINE_TARGET_MS = 60.0, 3.0
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_SAMPLE_S = 0.2

_SWEEP = """\
name: throughput
models: [{models}]
stages:
  - family: metacog
    conditions: [exp1]
    seeds: {seeds}
    runs: 1
    temperature: [0.0]
    channel: [{channels}]
budget_usd: 5.00
engine: {{simulators: 2, in_flight: 64}}
out: {out}
"""


def main() -> None:
    """Plan once, run twice, and print both figures with their targets."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--models", type=int, default=16)
    options.add_argument("--seeds", type=int, default=5_000)
    options.add_argument("--short", type=int, default=2_000, help="episodes of the short run")
    options.add_argument("--long", type=int, default=8_000, help="episodes of the long run")
    chosen = options.parse_args()
    console = Console()
    models = [f"scripted/{name}" for name in AGENTS][: chosen.models]
    with TemporaryDirectory() as folder:
        count = len(models) * chosen.seeds * len(CHANNELS)
        wall_s, cpu_s = measured("plan", sweep(Path(folder), "plan", models, chosen.seeds))
        console.print(
            f"plan, {count:,} episodes: {wall_s:.1f} s, {cpu_s:.1f} s CPU "
            f"(target {PLAN_TARGET_S:g} s)"
        )
        each = [f"scripted/{AGENT}"]
        costs_s = []
        for name, episodes in (("short", chosen.short), ("long", chosen.long)):
            path = sweep(Path(folder), name, each, episodes // len(CHANNELS))
            wall_s, cpu_s = measured("run", path)
            console.print(f"run, {episodes:,} episodes: {wall_s:.1f} s, {cpu_s:.1f} s CPU")
            costs_s.append(cpu_s)
    per_episode_ms = 1000 * (costs_s[1] - costs_s[0]) / (chosen.long - chosen.short)
    playing_ms = played_ms(500)
    console.print(
        f"engine CPU per one-step episode: {per_episode_ms - playing_ms:.2f} ms, and "
        f"{playing_ms:.2f} ms to make, play and answer it (target {ENGINE_TARGET_MS:g} ms)"
    )


def sweep(folder: Path, name: str, models: list[str], seeds: int) -> Path:
    """Return a sweep file whose runs go into the same folder."""
    path = folder / f"{name}.yaml"
    channels = ", ".join(CHANNELS)
    path.write_text(
        _SWEEP.format(
            models=", ".join(models), seeds=seeds, channels=channels, out=folder / f"{name}-run"
        )
    )
    return path


def measured(command: str, path: Path) -> tuple[float, float]:
    """Return wall and CPU seconds of a command and of all its descendants."""
    began_s = perf_counter()
    seen: dict[int, float] = {}
    with (path.with_suffix(".log")).open("wb") as log:
        running = Popen(
            [sys.executable, "-m", "mirror_ray", command, str(path)], stdout=log, stderr=log
        )
        below = {running.pid}
        while running.poll() is None:
            sleep(_SAMPLE_S)
            _sample(below, seen)
    if running.returncode:
        raise SystemExit(path.with_suffix(".log").read_text())
    return perf_counter() - began_s, sum(seen.values())


def _sample(below: set[int], seen: dict[int, float]) -> None:
    """Add new descendants to `below`, and the latest CPU seconds of each to `seen`."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        pid, parent = int(entry.name), int(fields[1])
        if pid in below or parent in below:
            below.add(pid)
            seen[pid] = (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def played_ms(count: int) -> float:
    """Return CPU milliseconds to make, ask, answer and read an item without an engine."""
    family = FAMILIES["metacog"]
    specs = [
        EpisodeSpec(
            Cell("metacog", "exp1", (("subject", f"scripted/{AGENT}"),), 0.0, "paper", axes),
            seed,
            0,
        )
        for axes in ((("channel", channel),) for channel in CHANNELS)
        for seed in range(count // len(CHANNELS))
    ]
    began_s = process_time()
    for spec in specs:
        ask = next(family.play(spec, spec.rng()))
        AGENTS[AGENT](prompt_for(AGENT, ask.system, ask.user, [], ask.truth))
    return 1000 * (process_time() - began_s) / len(specs)


if __name__ == "__main__":
    main()
