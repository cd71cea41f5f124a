"""Measure the rate of a run at an own server, as a share of bare calls with the same prompts.

    python benchmarks/own_server.py [--base-url http://127.0.0.1:8080/v1 --model NAME]
        [--concurrency 4] [--requests 64] [--rounds 3] [--pictures] [--found 1 2 4 8]

Each round makes the same calls three times: by aiohttp alone, by `play_plan`, and by aiohttp again,
with as many in flight; other load counts against both. Start a server so that it answers a repeated
prompt no faster (llama-server: ``--no-cache-prompt --cache-ram 0``). The run's rate counts from the
first lease to the last episode's end. Without `--base-url` a light server on loopback answers after
0.25 s. With `--pictures` a card of flipset goes with each prompt; for the bare calls it is drawn
beforehand.

With `--found` the catalogue states no concurrency, so the run has to find it: the rate of its
second half is compared with the best of the bare rates at the given concurrencies.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
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
_SECOND_HALF = """
with ended as (
    select epoch(started_at::timestamptz) + latency_s as at_s
    from stage.metacog_steps union all by name
    select epoch(started_at::timestamptz) + latency_s as at_s from stage.flipset_steps
)

select
    count(*) filter (at_s > middle_s) / (max(at_s) - any_value(middle_s)) as per_s
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
    options.add_argument("--found", type=int, nargs="+", help="concurrencies of the bare calls")
    chosen = options.parse_args()
    console, shares = Console(), []
    with address_of(chosen.base_url) as base_url, TemporaryDirectory() as folder:
        for number in range(chosen.rounds):
            plan = planned(Path(folder), f"run-{number}", base_url, chosen)
            bodies = [json.dumps(body).encode() for body in bodies_of(plan)]
            before = best_of(bodies, base_url, chosen, console)
            summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
            assert summary.exit_code == 0, summary
            after = best_of(bodies, base_url, chosen, console)
            bare_per_s = 2 / (1 / before + 1 / after)
            run_per_s = summary.calls / summary.playing_s
            if chosen.found:
                with open_run(plan.sweep.out) as connection:
                    ((run_per_s,),) = connection.sql(_SECOND_HALF).fetchall()
            shares.append(run_per_s / bare_per_s)
            console.print(f"run {run_per_s:.2f}/s, bare {bare_per_s:.2f}/s: {shares[-1]:.0%}")
    share, target = median(shares), FOUND_TARGET if chosen.found else TARGETS[chosen.pictures]
    mark = "[green]✓[/]" if share >= target else "[red]✗[/]"
    console.print(f"{share:.1%} of the bare rate (target {target:.0%}) {mark}")


def best_of(
    bodies: Sequence[bytes], base_url: str, chosen: argparse.Namespace, console: Console
) -> float:
    """Return the bare rate at the run's concurrency; with `--found` the best of those asked for."""
    if not chosen.found:
        return asyncio.run(bare(bodies, base_url, chosen.concurrency))
    rates = {}
    for at in chosen.found:
        rates[at] = asyncio.run(bare(bodies[: max(16, 6 * at)], base_url, at))
    told = ", ".join(f"{at} at once {per_s:.2f}/s" for at, per_s in rates.items())
    console.print(f"bare: {told}")
    return max(rates.values())


@contextmanager
def address_of(base_url: str | None) -> Iterator[str]:
    """Yield the server's address; the light server's without one."""
    with nullcontext() if base_url else server() as port:
        yield base_url or f"http://127.0.0.1:{port}/v1"


def planned(folder: Path, name: str, base_url: str, chosen: argparse.Namespace) -> Plan:
    """Return a plan of as many requests, of one model at the server."""
    seeds = min(chosen.requests, MOST_SEEDS[chosen.pictures])
    stated = "" if chosen.found else f" concurrency: {chosen.concurrency},"
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


async def bare(bodies: Sequence[bytes], base_url: str, concurrency: int) -> float:
    """Return the calls per second with nothing else around them."""
    left = iter(bodies)
    headers = {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(headers=headers) as session:

        async def ask() -> None:
            for body in left:
                async with session.post(f"{base_url}/chat/completions", data=body) as reply:
                    assert reply.status == 200, await reply.text()
                    json.loads(await reply.read())

        began_s = perf_counter()
        await asyncio.gather(*(ask() for _ in range(concurrency)))
        return len(bodies) / (perf_counter() - began_s)


if __name__ == "__main__":
    main()
