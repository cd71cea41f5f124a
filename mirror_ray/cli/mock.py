"""`mirror-ray mock` serves all hosted models of a sweep on this machine, for rehearsals.

Every key's limits are enforced as the catalogue states them, optionally sped up by a factor;
offline agents reply. Nothing is sent to a provider and nothing is paid."""

import asyncio
import json
from argparse import Namespace
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict
from math import inf
from typing import Any

from mirror_ray.agents.registry import AGENTS
from mirror_ray.cli.directories import write_file
from mirror_ray.cli.show import console, counted, print_json
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import say
from mirror_ray.providers.batches.service import ANTHROPIC, GEMINI
from mirror_ray.providers.mock.batch_jobs import BatchManner
from mirror_ray.providers.mock.limits import Enforced
from mirror_ray.providers.mock.mock_server import MockServer
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

_SPOKEN = "hosted_vllm/"
"""litellm's prefix for a server with OpenAI's protocol that needs no key."""

MOST_PORT = 65_535

_TAKEN_OVER = (
    *("usd_per_mtok_in", "usd_per_mtok_out", "usd_per_mtok_cached", "vision"),
    *("sends_temperature", "sends_seed", "sends_schema", "max_tokens", "max_tokens_name"),
    *("tokens_per_image", "timeout_s"),
)
"""The settings of a model that apply no matter who serves it."""

_OF_A_TIER = ("usd_per_mtok_in", "usd_per_mtok_out", "usd_per_mtok_cached", "timeout_s")
_OF_A_LANE = ("rpm", "tpm", "concurrency")
_OF_A_BATCH = (*_OF_A_TIER, "linger_s", "poll_s", "most_asks", "most_mb")
_SHARE = "a share of the batched requests, below 1"


def main(arguments: Namespace) -> int:
    """Serve until Ctrl-C; return 0."""
    _check_figures(arguments)
    plan = load_plan(arguments.sweep, arguments.overrides)
    hosted = [at_tier(one, "standard") for one in plan.models.values() if not one.is_offline]
    if not hosted:
        raise SweepError(
            f"{plan.sweep.source}: models",
            ", ".join(plan.models),
            "a sweep with hosted models: offline agents need no server",
            "name other models, e.g. models=openai/gpt-5.1, or use sweeps/scale.yaml",
        )
    for agent in arguments.agent or ():
        if agent not in AGENTS:
            raise SweepError(
                "command line: --agent", repr(agent), ", ".join(sorted(AGENTS)), "name one of them"
            )
    at_batch = [at_tier(model, "batch") for model in hosted if model.batch is not None]
    at_flex = [at_tier(model, "flex") for model in hosted if model.flex is not None]
    enforced = {
        lane.limits.key: enforced_of(
            lane.limits, latency_s=arguments.latency_s, speed=arguments.speed
        )
        for lane in (*hosted, *at_flex, *at_batch)
    }
    server = MockServer(
        {name_on_the_wire(model): model.limits.key for model in hosted},
        enforced,
        arguments.agent or agents_of(plan),
        faults=arguments.faults,
        flex_key_of={name_on_the_wire(lane): lane.limits.key for lane in at_flex},
        shed=arguments.shed,
        batch_key_of={name_in_batches(lane): lane.limits.key for lane in at_batch},
        batches=BatchManner(
            lasts_s=arguments.batch_s / arguments.speed,
            slow_s=arguments.batch_slow_s,
            expired=arguments.batch_expired,
            failed=arguments.batch_failed,
        ),
    )

    async def on_ready(port: int) -> None:
        keys = sorted({model.limits.key for model in hosted})
        base_url = f"http://{arguments.host}:{port}/v1"
        if arguments.catalogue is not None:
            batched = [one.name for one in plan.lanes() if one.tier == "batch"]
            catalogue = catalogue_of(hosted, base_url, speed=arguments.speed, batched=batched)
            written = f"{json.dumps(catalogue, indent=2)}\n"
            write_file("--catalogue", arguments.catalogue, written.encode())
        if arguments.json:
            names = [model.name for model in hosted]
            about = {"address": base_url, "catalogue": arguments.catalogue}
            print_json({**about, "models": names, "keys": keys})
            return
        say(
            console,
            f"{counted(len(hosted), 'model')} under {counted(len(keys), 'key')} at {base_url};"
            " Ctrl-C ends it.",
        )

    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(server, arguments.host, arguments.port, on_ready))
    return 0


_FIGURES: tuple[tuple[str, Callable[[float], bool], str], ...] = (
    ("speed", lambda factor: 0 < factor < inf, "a factor above 0"),
    ("latency_s", lambda time_s: 0 <= time_s < inf, "0 s or more"),
    ("faults", lambda share: 0 <= share < 1, "a share of all calls below 1"),
    ("shed", lambda share: 0 <= share <= 1, "a share of the flex calls, 0–1"),
    ("batch_s", lambda time_s: 0 <= time_s < inf, "0 s or more"),
    ("batch_slow_s", lambda time_s: 0 <= time_s < inf, "0 s or more"),
    ("batch_expired", lambda share: 0 <= share < 1, _SHARE),
    ("batch_failed", lambda share: 0 <= share < 1, _SHARE),
    ("port", lambda port: 0 <= port <= MOST_PORT, f"0–{MOST_PORT}"),
)


def _check_figures(arguments: Namespace) -> None:
    for name, is_allowed, allowed in _FIGURES:
        value = getattr(arguments, name)
        if not is_allowed(value):
            where = f"command line: --{name.replace('_', '-')}"
            raise SweepError(where, f"{value:g}", allowed, "drop it for the usual value")


async def _serve(server: MockServer, host: str, port: int, on_ready: Any) -> None:
    try:
        await server.serve(host, port, on_ready)
    except OSError as error:
        raise SweepError(
            "command line: --host, --port",
            f"{host}, {port}: {error.strerror or error}",
            "an address of this machine, and a free port there, or 0 for any",
            "choose others",
        ) from error


def agents_of(plan: Plan) -> tuple[str, ...]:
    """Return, for each family, an agent that replies fast, by the prompt alone, up to the last
    step."""
    families = [FAMILIES[name] for name in dict.fromkeys(cell.family for cell in plan.cells)]
    return tuple(family.rehearsed_by or family.sampled_by[1] for family in families)


def name_on_the_wire(model: Model) -> str:
    """Return the name that requests carry: the model's own if it is native to such a server."""
    provider, _, name = model.target.partition("/")
    return name if model.base_url and f"{provider}/" == _SPOKEN else model.name


def name_in_batches(model: Model) -> str:
    """Return the model's name in batched requests, which use the provider's own protocol."""
    if not model.target.startswith((ANTHROPIC, GEMINI)):
        return name_on_the_wire(model)
    return model.target.partition("/")[2]


def enforced_of(limits: Limits, *, latency_s: float, speed: float) -> Enforced:
    """Return a key's limits as its provider would enforce them, `speed` times faster."""
    return Enforced(
        rpm=limits.rpm and limits.rpm * speed,
        tpm=limits.tpm and limits.tpm * speed,
        concurrency=limits.concurrency,
        kind="window" if limits.window == "minute" else "bucket",
        latency_s=latency_s / speed,
    )


def catalogue_of(
    models: list[Model], base_url: str, *, speed: float, batched: Collection[str] = ()
) -> dict[str, Any]:
    """Return a catalogue file with these models at `base_url`, their limits times `speed`. The
    sweep sends requests to those in `batched` in batches, in their provider's protocol."""
    entries = {}
    for model in models:
        entries[model.name] = {
            **_reached(model, base_url, in_batches=model.name in batched),
            "limits_key": model.limits.key,
            **_figures(model.limits, speed),
            **{name: getattr(model, name) for name in _TAKEN_OVER},
        }
        if model.flex is not None:
            figures = _figures(model.flex.limits, speed)
            entries[model.name]["flex"] = {
                **{name: figures[name] for name in _OF_A_LANE if name in figures},
                **{name: getattr(model.flex, name) for name in _OF_A_TIER},
            }
        if model.batch is not None:
            batch = {name: getattr(model.batch, name) for name in _OF_A_BATCH}
            paces = {name: batch[name] / speed for name in ("linger_s", "poll_s")}
            entries[model.name]["batch"] = {**batch, **paces}
    return {"models": entries}


def _reached(model: Model, base_url: str, *, in_batches: bool) -> dict[str, Any]:
    root = base_url.removesuffix("/v1")
    if in_batches and model.target.startswith(ANTHROPIC):
        return {"target": model.target, "base_url": root}
    if in_batches and model.target.startswith(GEMINI):
        return {"target": model.target, "base_url": f"{root}/v1beta"}
    return {"target": f"{_SPOKEN}{name_on_the_wire(model)}", "base_url": base_url}


def _figures(limits: Limits, speed: float) -> dict[str, Any]:
    """Return the limits times `speed`, in a catalogue's keys; daily limits stay as they are."""
    figures = {
        figure: value
        for figure, value in asdict(limits).items()
        if figure not in ("key", "rpd", "seeks_concurrency") and value is not None
    }
    return figures | {name: figures[name] * speed for name in ("rpm", "tpm") if name in figures}
