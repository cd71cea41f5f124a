"""Sweeps of real models, and what the engines counted while they were played."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from real_engine import Counters, Engine
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.driver.run_summary import RunSummary
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from support.shard_rows import rows_of

_LIMITS = "family: pretended, concurrency: 4, vision: false"
MODELS = f"""
models:
  smol: {{target: hosted_vllm/smol, base_url: "<smol>", {_LIMITS}, size_b: 0.135, max_tokens: 80}}
  gemma: {{target: hosted_vllm/gemma, base_url: "<gemma>", {_LIMITS}, size_b: 0.27, max_tokens: 80}}
  long: {{target: hosted_vllm/long, base_url: "<smol>", {_LIMITS}, size_b: 0.2, max_tokens: 220}}
  cut: {{target: hosted_vllm/cut, base_url: "<smol>", {_LIMITS}, size_b: 0.135, max_tokens: 32}}
  sighted: {{target: hosted_vllm/sighted, base_url: "<smol>", concurrency: 4}}
"""
"""``<smol>`` and ``<gemma>`` stand for the engines' addresses. `long` and `cut` are smol with other
limits; `long` claims another size, so that there are slopes over sizes."""


@dataclass(frozen=True)
class Played:
    """A run, and what each engine counted during it."""

    plan: Plan
    summary: RunSummary
    said: str
    counted: Mapping[str, Counters]

    @property
    def out(self) -> Path:
        return Path(self.plan.sweep.out)

    @property
    def steps(self) -> list[dict[str, Any]]:
        return rows_of(self.out, "steps")


def written(folder: Path, sweep: str, models: str, engines: Mapping[str, Engine]) -> Path:
    """The sweep's file, beside that of its models; it plays into ``out`` in the same folder."""
    for name, engine in engines.items():
        models = models.replace(f"<{name}>", engine.base_url)
    (folder / "models.yaml").write_text(models)
    path = folder / "sweep.yaml"
    path.write_text(f"name: real\nout: {folder / 'out'}\ncatalogue: models.yaml\n{sweep}")
    return path


def played(path: Path, engines: Mapping[str, Engine]) -> Played:
    """Plays a sweep to its end."""
    plan = load_plan(str(path))
    before = {name: engine.counters() for name, engine in engines.items()}
    screen = StringIO()
    summary = play_plan(plan, console=Console(file=screen, width=200), plain=True)
    counted = {name: engine.counters() - before[name] for name, engine in engines.items()}
    return Played(plan, summary, screen.getvalue(), counted)


def a_port() -> int:
    """A free one."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
