"""Measure the rate of a run at an own server, as a share of bare calls with the same prompts.

    python benchmarks/own_server.py [--base-url http://127.0.0.1:8080/v1 --model NAME]
        [--concurrency 4] [--requests 64] [--rounds 3] [--pictures] [--found 1 2 4 8]

Each round makes the same calls three times: by aiohttp alone, by `play_plan`, and by aiohttp again,
with as many in flight; other load counts against both. Start a server so that it answers a repeated
prompt no faster (llama-server: ``--no-cache-prompt --cache-ram 0``). The run's rate counts from the
first lease to the last episode's end. On a busy machine rates are those of the moment: the number
of calls in flight, on average, still says whether the run kept the server as busy. Without
`--base-url` a light server on loopback answers after 0.25 s. With `--pictures` a card of flipset
goes with each prompt; for the bare calls it is drawn beforehand.

With `--found` no bare calls are made: a run whose catalogue states no concurrency, so that it has
to find it, is compared with runs at the given ones, by the rates of their second halves.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import aiohttp
from rich.console import Console

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import Image, Request
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.providers.hosted_call import OWN_SERVERS, call_parameters, request_body
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer
from providers import server

TARGETS = {False: 0.95, True: 0.9}
FOUND_TARGET = 0.8
MAX_TOKENS = 32
MOST_SEEDS = {False: 10_000, True: 24}
STAGES = {
    False: "{family: metacog, conditions: [exp1], channel: [natural]",
    True: "{family: flipset, conditions: [L1]",
}
_CALLS = """
with ended as (
    select latency_s, epoch(started_at::timestamptz) + latency_s as at_s
    from stage.metacog_steps union all by name
    select latency_s, epoch(started_at::timestamptz) + latency_s as at_s from stage.flipset_steps
)

select
    sum(latency_s) as waited_s,
    count(*) filter (at_s > middle_s) / (max(at_s) - any_value(middle_s)) as later_per_s
from ended, (select median(at_s) as middle_s from ended)
"""


def main() -> None:
    """Print each round's rates, and the median share."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--base-url")
    options.add_argument("--model", default="any")
    options.add_argument("--concurrency", type=int, default=4)
    options.add_argument("--requests", type=int, default=64)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--pictures", action="store_true")
    options.add_argument("--found", type=int, nargs="+", help="concurrencies of the other runs")
    chosen = options.parse_args()
    console, shares = Console(), []
    target = FOUND_TARGET if chosen.found else TARGETS[chosen.pictures]
    with address_of(chosen.base_url) as base_url, TemporaryDirectory() as folder:
        for number in range(chosen.rounds):
            place = Path(folder, f"{number}")
            place.mkdir()
            measure = found if chosen.found else compared
            shares.append(measure(place, base_url, chosen, console))
    share = median(shares)
    mark = "[green]✓[/]" if share >= target else "[red]✗[/]"
    console.print(f"{share:.1%} of the other rate (target {target:.0%}) {mark}")


def compared(place: Path, base_url: str, chosen: argparse.Namespace, console: Console) -> float:
    """Return a run's rate as a share of that of bare calls before and after it."""
    plan = planned(place, "run", base_url, chosen, chosen.concurrency)
    bodies = [json.dumps(body).encode() for body in bodies_of(plan)]
    before_s, waited_s = asyncio.run(bare(bodies, base_url, chosen.concurrency))
    run = played(plan)
    after_s, waited_after_s = asyncio.run(bare(bodies, base_url, chosen.concurrency))
    bare_per_s = 2 * len(bodies) / (before_s + after_s)
    in_flight = (waited_s + waited_after_s) / (before_s + after_s)
    share = run.per_s / bare_per_s
    console.print(
        f"run {run.per_s:.2f}/s, {run.in_flight:.2f} calls in flight; "
        f"bare {bare_per_s:.2f}/s, {in_flight:.2f} in flight: {share:.0%}"
    )
    return share


def found(place: Path, base_url: str, chosen: argparse.Namespace, console: Console) -> float:
    """Return the rate of a run that finds its concurrency as a share of the best stated one's."""
    runs: dict[int | None, Run] = {}
    for at in (*chosen.found, None):
        runs[at] = played(planned(place, f"run-{at}", base_url, chosen, at))
        told = "found" if at is None else f"{at} stated"
        later = f"{runs[at].later_per_s:.2f}/s in its second half"
        console.print(f"{told}: {later}, {runs[at].in_flight:.2f} calls in flight")
    best_per_s = max(runs[at].later_per_s for at in chosen.found)
    return runs[None].later_per_s / best_per_s


@dataclass(frozen=True, slots=True)
class Run:
    """A run's calls per second, those of its second half, and how many were in flight."""

    per_s: float
    later_per_s: float
    in_flight: float


def played(plan: Plan) -> Run:
    """Play the plan."""
    summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
    assert summary.exit_code == 0, summary
    with open_run(plan.sweep.out) as connection:
        ((waited_s, later_per_s),) = connection.sql(_CALLS).fetchall()
    return Run(summary.calls / summary.playing_s, float(later_per_s), waited_s / summary.playing_s)


@contextmanager
def address_of(base_url: str | None) -> Iterator[str]:
    """Yield the server's address; the light server's without one."""
    with nullcontext() if base_url else server() as port:
        yield base_url or f"http://127.0.0.1:{port}/v1"


def planned(
    folder: Path, name: str, base_url: str, chosen: argparse.Namespace, concurrency: int | None
) -> Plan:
    """Return a plan of as many requests, of one model at the server."""
    seeds = min(chosen.requests, MOST_SEEDS[chosen.pictures])
    stated = "" if concurrency is None else f" concurrency: {concurrency},"
    (folder / "models.yaml").write_text(
        f"models: {{own: {{target: '{OWN_SERVERS}{chosen.model}', base_url: '{base_url}',"
        f"{stated} max_tokens: {MAX_TOKENS}}}}}\n"
    )
    sweep = folder / f"{name}.yaml"
    sweep.write_text(
        f"name: own\nmodels: [own]\ncatalogue: models.yaml\nout: {folder / name}\nstages:\n"
        f"  - {STAGES[chosen.pictures]}, seeds: {seeds},"
        f" runs: {chosen.requests // seeds}, temperature: [0.0]}}\n"
    )
    return load_plan(str(sweep))


def bodies_of(plan: Plan) -> Iterator[dict[str, object]]:
    """Return the bodies of the plan's first requests, with their pictures."""
    model, renderer = plan.models["own"], None
    for spec in plan.episodes:
        ask = next(FAMILIES[spec.cell.family].play(spec, spec.rng()))
        images: list[Image] = []
        for view in ask.views:
            renderer = renderer or Renderer()
            images.append(encode(renderer.draw(view).rgb, view.encoding))
        request = Request(
            episode_id=spec.episode_id,
            ask_index=1,
            cell_id=spec.cell.cell_id,
            model=model.name,
            system=ask.system,
            user=ask.user,
            images=tuple(images),
            reply_schema=ask.reply_schema,
            temperature=spec.cell.temperature,
            max_tokens=ask.max_tokens,
        )
        parameters = call_parameters(request, model)
        yield request_body(parameters, model.target.removeprefix(OWN_SERVERS))


async def bare(bodies: Sequence[bytes], base_url: str, concurrency: int) -> tuple[float, float]:
    """Make the calls with nothing else around them; return the time that took, and the sum of the
    calls' times."""
    left, waited_s = iter(bodies), 0.0
    headers = {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(headers=headers) as session:

        async def ask() -> None:
            nonlocal waited_s
            for body in left:
                sent_s = perf_counter()
                async with session.post(f"{base_url}/chat/completions", data=body) as reply:
                    assert reply.status == 200, await reply.text()
                    json.loads(await reply.read())
                waited_s += perf_counter() - sent_s

        began_s = perf_counter()
        await asyncio.gather(*(ask() for _ in range(concurrency)))
        return perf_counter() - began_s, waited_s


if __name__ == "__main__":
    main()
