"""Measure how soon a run of many finished episodes resumes, and the size of its journal.

    python benchmarks/resume.py [--episodes 200000] [--per-shard 500 100]

Makes a run directory whose episodes are all finished, with the writer of real runs, and times `run`
on it: the lock, the manifest, the journal, the shards, every episode's identity. Then the same
without the journal, when costs are read from the shards, too. Finally, the journal's size while a
Recorder takes in 5,000 episodes of 20 requests.
"""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import pyarrow as pa
from rich.console import Console

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Reply
from mirror_ray.engine.cluster.session import row_schemas
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.providers.model import Limits, Model
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import FinishedEpisode
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep

CONDITIONS = ("E1", "E2", "E3", "E4", "E5")
MODELS, RUNS = 10, 10
ASKS_PER_SHARDED_EPISODE = 5
JOURNAL_EPISODES, ASKS, AT_A_TIME = 5_000, 20, 100
EXAMPLES: dict[str, Any] = {"string": "none", "int32": 1, "int64": 1, "bool": False}
"""A value for a required column, by type."""


def main() -> None:
    """Print one line per shard size, then the journal's sizes."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=200_000)
    options.add_argument("--per-shard", type=int, nargs="+", default=[500, 100])
    chosen = options.parse_args()
    console = Console()
    for per_shard in chosen.per_shard:
        with TemporaryDirectory() as folder:
            plan = plan_of(chosen.episodes, f"{folder}/run")
            write_finished(plan, per_shard)
            shards = len(list(Path(plan.sweep.out).glob("episodes/**/*.parquet")))
            # The first opening creates the journal and therefore reads all costs.
            for journal in ("gone", "here"):
                spent = resumed(plan)
                console.print(
                    f"{len(plan.episodes):,} finished episodes in {shards:,} shards, journal"
                    f" {journal}: {spent.wall_s:.1f} s ({spent.cpu_s:.1f} s CPU)"
                )
    with TemporaryDirectory() as folder:
        sizes = asyncio.run(journal_sizes(Path(folder)))
    shown = ", ".join(f"{size / 2**20:.1f}" for size in sizes)
    console.print(f"Journal and its log in MiB, after each 500 episodes of {ASKS} asks: {shown}")


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of a resume."""

    wall_s: float
    cpu_s: float


def plan_of(episodes: int, out: str) -> Plan:
    """Return a plan of at least that many episodes, in whole scenes."""
    names = [f"scripted/model-{number}" for number in range(MODELS)]
    cells = tuple(
        Cell("selfid", condition, (("subject", name),), 0.2, "paper")
        for condition, name in product(CONDITIONS, names)
    )
    seeds = -(-episodes // (len(cells) * RUNS))
    specs = tuple(
        EpisodeSpec(cell, seed, run)
        for seed, run, cell in product(range(seeds), range(RUNS), cells)
    )
    models = {
        name: Model(name=name, backend="scripted", target="mute", limits=Limits(name))
        for name in names
    }
    sweep = Sweep("resume", "by hand", out, None, EngineSettings(), {"models": names})
    return Plan(sweep=sweep, cells=cells, episodes=specs, models=models)


def write_finished(plan: Plan, per_shard: int) -> None:
    """Write all episodes of the plan as completed, in shards of `per_shard` episodes."""
    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        run_dir.describe("", {KEY: protocols_of_cells(plan.cells)})
        shards = ShardWriter(plan.sweep.out)
        schemas = row_schemas()["selfid"]
        for begin in range(0, len(plan.episodes), per_shard):
            specs = plan.episodes[begin : begin + per_shard]
            asked = [spec for spec in specs for _ in range(ASKS_PER_SHARDED_EPISODE)]
            steps, episodes = filled(schemas[0], asked), filled(schemas[1], specs)
            shards.write("selfid", steps, episodes)


def filled(schema: pa.Schema, specs: Sequence[EpisodeSpec]) -> pa.Table:
    """Return one row per spec, with its identity and a value for every required column."""
    known = {
        "episode_id": [spec.episode_id for spec in specs],
        "family": [spec.cell.family for spec in specs],
        "model": [spec.cell.model for spec in specs],
        "condition": [spec.cell.condition for spec in specs],
        "reply": ['{"action": "walk", "thought": "I see a wall"}'] * len(specs),
        "cost_usd": [0.001] * len(specs),
        "ask": _numbers(specs),
        "step": _numbers(specs),
    }
    columns = []
    for field in schema:
        empty = None if field.nullable else EXAMPLES[str(field.type)]
        columns.append(pa.array(known.get(field.name, [empty] * len(specs)), field.type))
    return pa.Table.from_arrays(columns, schema=schema)


def _numbers(specs: Sequence[EpisodeSpec]) -> list[int]:
    """Return 1, 2, … for each episode's rows, which are consecutive."""
    numbers: list[int] = []
    for at, spec in enumerate(specs):
        numbers.append(numbers[-1] + 1 if at and spec is specs[at - 1] else 1)
    return numbers


def resumed(plan: Plan) -> Spent:
    """Run a plan of which no episode is left."""
    wall_s, cpu_s = perf_counter(), process_time()
    summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
    assert summary.episodes_done == len(plan.episodes)
    return Spent(perf_counter() - wall_s, process_time() - cpu_s)


async def journal_sizes(out: Path) -> list[int]:
    """Return the bytes of the journal and its log after each 500 episodes."""
    plan = plan_of(JOURNAL_EPISODES, str(out))
    schemas = row_schemas()
    recorder = Recorder(str(out), schemas, SealBounds())
    sizes = []
    for begin in range(0, JOURNAL_EPISODES, AT_A_TIME):
        specs = plan.episodes[begin : begin + AT_A_TIME]
        await asyncio.gather(*(play(recorder, spec, schemas["selfid"]) for spec in specs))
        if (begin + AT_A_TIME) % 500 == 0:
            sizes.append(sum(path.stat().st_size for path in out.glob(f"{JOURNAL_NAME}*")))
    await recorder.close()
    return sizes


async def play(recorder: Recorder, spec: EpisodeSpec, schemas: tuple[pa.Schema, pa.Schema]) -> None:
    """Record an episode's replies of 1 KiB each, and its end."""
    for ask in range(1, ASKS + 1):
        reply = Reply(f"{ask}{'x' * 1024}", cost_usd=0.001)
        await recorder.record(Entry(spec.episode_id, ask, "sha", None, {}, reply))
    row = filled(schemas[1], [spec]).to_pylist()[0]
    steps = filled(schemas[0], [spec] * ASKS).to_pylist()
    form = RowCodec("selfid", *schemas)
    await recorder.finish(form.write(FinishedEpisode("selfid", row, tuple(steps))))


if __name__ == "__main__":
    main()
