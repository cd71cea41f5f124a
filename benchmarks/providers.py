"""Measure calls to hosted models per CPU-second, and how they scale with Providers.

    python benchmarks/providers.py [--calls 2000] [--providers 1 2]

Clients make the same calls, each with a picture of 32 KB: bare aiohttp, litellm, the backends of
own servers and of hosted models, and the engine's Provider actors as in a run, with their Limiter
and Recorder, called by actors instead of Simulators. A light server on loopback answers. CPU time
is that of the client process after a warm-up; a Provider's includes the messages to and from the
other actors.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any
from urllib.request import Request as Put
from urllib.request import urlopen

import ray
from provider_calls import IN_FLIGHT, WARM_CALLS, Client, Cost, in_parallel, model_at, request_of
from ray import get_actor
from rich.console import Console
from rich.table import Table

from mirror_ray.core.identity import content_hash
from mirror_ray.engine.cluster.session import ray_session
from mirror_ray.engine.cluster.spawner import ActorSpawner
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.provider.actor import Provider, ProviderConfig
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked
from mirror_ray.providers.model import Model

PROGRAM = Path(__file__).parents[1] / "tests" / "support" / "limits_server.py"
LATENCY_S = 0.25
TARGET = 150.0
PIPED_WIDTH = 120


class MeasuredProvider(Provider):
    """A Provider that reports the CPU time of its process."""

    async def cpu_s(self) -> float:
        """Return CPU seconds since the process began."""
        return process_time()


class Asker:
    """A Ray actor that sends requests to one Provider, like a Simulator."""

    def __init__(self, index: int, model: Model, provider: str) -> None:
        self._index, self._model = index, model
        self._provider: Any = get_actor(provider)

    async def ask(self, first: int, calls: int) -> None:
        """Send requests from number `first` on."""

        async def call(number: int) -> None:
            request = request_of(self._model, self._index, number)
            asked = Asked(content_hash(request.user), request.images[0].rgb_sha, {})
            reply = (await self._provider.ask.remote(request, asked)).reply
            assert reply.error_kind == "none", reply.error

        await in_parallel(call, iter(range(first, first + calls)))


def by_clients(model: Model, calls: int) -> dict[str, Cost]:
    """Measure the clients without the engine, one after the other."""
    client: Any = ray.remote(Client).options(num_cpus=0).remote()
    costs = {
        "bare aiohttp": ray.get(client.bare.remote(model, calls)),
        "litellm": ray.get(client.litellm.remote(model, calls)),
        "plain HTTP, own servers": ray.get(
            client.plain.remote(replace(model, target="hosted_vllm/any"), calls)
        ),
        "plain HTTP, hosted models": ray.get(client.plain.remote(model, calls)),
    }
    ray.kill(client)
    return costs


def by_providers(model: Model, calls: int, count: int) -> Cost:
    """Measure Providers in parallel, each called by a separate actor."""
    with TemporaryDirectory() as folder, spawned_providers(model, count, Path(folder)) as providers:
        askers: Sequence[Any] = [
            ray.remote(Asker).options(num_cpus=0).remote(index, model, name)
            for index, name in enumerate(providers)
        ]
        ray.get([asker.ask.remote(0, WARM_CALLS) for asker in askers])
        cpu_s = _cpu_s(providers.values())
        began_s = perf_counter()
        ray.get([asker.ask.remote(WARM_CALLS, calls) for asker in askers])
        wall_s = perf_counter() - began_s
        cost = Cost(count * calls, wall_s, _cpu_s(providers.values()) - cpu_s)
        for asker in askers:
            ray.kill(asker)
    return cost


@contextmanager
def spawned_providers(model: Model, count: int, folder: Path) -> Iterator[Mapping[str, Any]]:
    """Start Providers with a Limiter and a Recorder, as a run does; yield them by name."""
    spawner = ActorSpawner(f"benchmark-{count}")
    many = {"num_cpus": 0, "max_concurrency": 4 * IN_FLIGHT * count}
    try:
        recorder = spawner.spawn("recorder", Recorder, many, str(folder), {}, home=folder)
        limiter = spawner.spawn("limiter", Limiter, many, (model.limits,))
        config = ProviderConfig({model.name: model}, limiter, recorder, max_attempts=1)
        names = [
            spawner.spawn(f"provider-{index}", MeasuredProvider, many, index, config)
            for index in range(count)
        ]
        yield {name: spawner.spawned[name] for name in names}
    finally:
        spawner.stop(list(spawner.spawned))


def _cpu_s(providers: Any) -> float:
    return float(sum(ray.get([provider.cpu_s.remote() for provider in providers])))


@contextmanager
def server() -> Iterator[int]:
    """Yield the light server's port for the duration of the block."""
    command = [sys.executable, str(PROGRAM)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            body = json.dumps({"latency_s": LATENCY_S}).encode()
            with urlopen(Put(f"http://127.0.0.1:{port}/limits", body, method="PUT")):
                yield port
        finally:
            process.terminate()


def main() -> None:
    """Measure the clients one after another and print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--calls", type=int, default=2000, help="calls of each client process")
    options.add_argument("--providers", type=int, nargs="+", default=[1, 2])
    chosen = options.parse_args()
    console = Console()
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    load_before = os.getloadavg()[0]
    with server() as port, ray_session(cores=os.cpu_count() or 1):
        model = model_at(port)
        costs = by_clients(model, chosen.calls)
        for count in chosen.providers:
            costs[f"{count} Provider{'s' * (count > 1)}"] = by_providers(model, chosen.calls, count)
    table = Table("client", title="Calls with a picture of 32 KB")
    for title in (
        "calls",
        "calls/s",
        "CPU per call",
        "calls per CPU-second",
        "of bare",
        "× litellm",
    ):
        table.add_column(title, justify="right")
    bare, litellm = costs["bare aiohttp"], costs["litellm"]
    for name, cost in costs.items():
        per_cpu_s = cost.calls / cost.cpu_s
        mark = ""
        if "Provider" in name:
            mark = " [green]✓[/]" if per_cpu_s >= TARGET else " [red]✗[/]"
        table.add_row(
            name,
            f"{cost.calls:,}",
            f"{cost.calls / cost.wall_s:.0f}",
            f"{1000 * cost.cpu_s / cost.calls:.2f} ms",
            f"{per_cpu_s:.0f}{mark}",
            f"{per_cpu_s * bare.cpu_s / bare.calls:.0%}",
            f"{per_cpu_s * litellm.cpu_s / litellm.calls:.1f}",
        )
    console.print(table)
    console.print(
        f"{IN_FLIGHT} calls in flight per process, latency {LATENCY_S:g} s, {os.cpu_count()} cores,"
        f" load average {load_before:.1f} before; target of Providers: {TARGET:.0f} calls per"
        " CPU-second. Server and askers need CPU, too: with few cores, calls/s grow less than"
        " Providers."
    )


if __name__ == "__main__":
    main()
