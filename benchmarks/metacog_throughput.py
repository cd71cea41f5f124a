"""Measure planning of 400,000 one-step episodes, and the CPU time of one: engine, family, analysis.

    python benchmarks/metacog_throughput.py [--models 16] [--seeds 5000] [--short 2000 --long 8000]

Planning is `mirror-ray plan` on a sweep of exp1 in five channels. The engine's cost is the CPU time
of all its processes (driver, Simulators, Recorder, Limiter, Ray's own) per episode, as the
difference between a long and a short run, because both include startup. The model is an agent that
replies at once; its own time and the family's, which makes the item and reads the reply, are
measured separately and subtracted. `mirror-ray run` analyses the rows at its end: the last figure.
"""

import argparse
import os
import sys
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep

from rich.console import Console

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Observation, Reply, Turn

CHANNELS = ("wagering", "opt_out", "difficulty", "tools", "natural")
AGENT = "overconfident"
PLAN_TARGET_S, ENGINE_TARGET_MS, FAMILY_TARGET_MS = 60.0, 1.0, 0.5
ENGINE_ALONE = (
    "import sys; from rich.console import Console; "
    "from mirror_ray.engine.driver.run import play_plan; "
    "from mirror_ray.sweep.load import load_plan; "
    "play_plan(load_plan(sys.argv[1]), console=Console(), plain=True)"
)
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
    """Plan once, run three times, and print all figures with their targets."""
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
        plan = sweep(Path(folder), "plan", models, chosen.seeds)
        wall_s, cpu_s = measured(("-m", "mirror_ray", "plan"), plan)
        console.print(
            f"plan, {count:,} episodes: {wall_s:.1f} s, {cpu_s:.1f} s CPU "
            f"(target {PLAN_TARGET_S:g} s)"
        )
        costs_s = []
        for name, command, episodes in (
            ("short", ("-c", ENGINE_ALONE), chosen.short),
            ("long", ("-c", ENGINE_ALONE), chosen.long),
            ("analysed", ("-m", "mirror_ray", "run"), chosen.long),
        ):
            path = sweep(Path(folder), name, [f"scripted/{AGENT}"], episodes // len(CHANNELS))
            wall_s, cpu_s = measured(command, path)
            console.print(f"{name} run, {episodes:,} episodes: {wall_s:.1f} s, {cpu_s:.1f} s CPU")
            costs_s.append(cpu_s)
    short_s, long_s, analysed_s = costs_s
    per_episode_ms = 1000 * (long_s - short_s) / (chosen.long - chosen.short)
    agent_ms, family_ms = played_ms(chosen.short)
    console.print(
        f"CPU per one-step episode: engine {per_episode_ms - agent_ms - family_ms:.2f} ms (target "
        f"{ENGINE_TARGET_MS:g}), family {family_ms:.2f} ms (target {FAMILY_TARGET_MS:g}), agent "
        f"{agent_ms:.2f} ms, analysis {1000 * (analysed_s - long_s) / chosen.long:.2f} ms"
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


def measured(command: tuple[str, ...], path: Path) -> tuple[float, float]:
    """Return wall and CPU seconds of a Python command and of all its descendants."""
    began_s = perf_counter()
    seen: dict[int, float] = {}
    with (path.with_suffix(".log")).open("wb") as log:
        running = Popen([sys.executable, *command, str(path)], stdout=log, stderr=log)
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


def played_ms(count: int) -> tuple[float, float]:
    """Return CPU milliseconds of the agent, and of the family, per episode."""
    family = FAMILIES["metacog"]
    specs = [
        EpisodeSpec(
            Cell("metacog", "exp1", (("subject", f"scripted/{AGENT}"),), 0.0, "paper", axes),
            seed,
            0,
        )
        for seed in range(count // len(CHANNELS))
        for axes in ((("channel", channel),) for channel in CHANNELS)
    ]
    agent_s, began_s = 0.0, process_time()
    for spec in specs:
        playing = family.play(spec, spec.rng())
        with suppress(StopIteration):
            ask = next(playing)
            while True:
                asked_s = process_time()
                text = AGENTS[AGENT](prompt_for(AGENT, ask.system, ask.user, [], ask.truth))
                agent_s += process_time() - asked_s
                ask = playing.send(Turn(Observation((), None, {}), Reply(text)))
    both_s = process_time() - began_s
    return 1000 * agent_s / len(specs), 1000 * (both_s - agent_s) / len(specs)


if __name__ == "__main__":
    main()
