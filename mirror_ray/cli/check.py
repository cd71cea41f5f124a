"""`mirror-ray models --check` asks each model one cheap question and prints its catalogue line."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from os import environ
from typing import Any

from mirror_ray.cli.show import console, new_table, print_json, rough
from mirror_ray.core.plain_yaml import write_yaml
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.driver.money import MISSING, usd_words
from mirror_ray.providers.backend import Backend, backend_for
from mirror_ray.providers.credentials import missing_env, missing_packages
from mirror_ray.providers.fault import MORE_CALLS
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.probe import Probe, at_most_usd, probe
from mirror_ray.providers.redaction import secret_values

_MARKS = {True: "✓", False: "✗", None: MISSING}
_PARAMETERS = ("picture", "schema", "temperature", "seed")
_TOKENS = ("tokens_in", "tokens_out", "tokens_image")
_OF_REPLY = ("error_kind", "model_version", *_TOKENS, "latency_s")


def check(models: Sequence[Model], at_once: int, *, as_json: bool) -> int:
    """Ask every hosted model, at most `at_once` in parallel. Return 1 if a model cannot be asked,
    or differs from its entry."""
    hosted = [model for model in models if not model.is_offline]
    lacking = {m.name: lack for m in hosted if (lack := _lack(m))}
    ready = [model for model in hosted if model.name not in lacking]
    shown = Terminal(sys.stderr) if as_json else console
    say(shown, _announcement(ready))
    probes = asyncio.run(_probe_all(ready, at_once)) if ready else []
    if as_json:
        unasked = [{"model": name, "ok": False, "error": lack} for name, lack in lacking.items()]
        print_json([*map(_as_mapping, probes), *unasked])
    else:
        _print(probes, lacking)
    return int(not hosted or bool(lacking) or not all(probe.is_fine for probe in probes))


def _lack(model: Model) -> str:
    if model.serve is not None:
        return "not asked: only a run starts its server (mirror-ray run)"
    variables, packages = missing_env(model, environ), missing_packages(model)
    said = [f"{', '.join(variables)} not set"] if variables else []
    return "; ".join([*said, *(f"pip install {package}" for package in packages)])


def _announcement(models: Sequence[Model]) -> str:
    bounds = {model.name: at_most_usd(model) for model in models}
    known = sum(bound for bound in bounds.values() if bound is not None)
    unknown = [name for name, bound in bounds.items() if bound is None]
    said = (
        f"{len(models)} calls, and up to {MORE_CALLS} more to a model that refuses the first:"
        f" at most {usd_words(known)}"
    )
    if unknown:
        said += f", and what {', '.join(unknown)} cost, whose prices are unknown"
    return f"{said}."


async def _probe_all(models: Sequence[Model], at_once: int) -> list[Probe]:
    backends: list[Backend] = []
    by_key: dict[str, _KeyLimits] = {}
    known = secret_values(models, environ)
    in_all, client = asyncio.Semaphore(at_once), HttpClient()

    async def ask(model: Model, request: Request) -> Reply:
        key_limits = by_key.setdefault(model.limits.key, _KeyLimits(model.limits, at_once))
        async with key_limits.slot(), in_all:
            backends.append(backend_for(model, known, client))
            return await backends[-1].reply(request)

    try:
        return list(await asyncio.gather(*(probe(model, ask) for model in models)))
    finally:
        # Connections are shared: keep all open while any model may still reply.
        for backend in backends:
            await backend.aclose()
        await client.aclose()


class _KeyLimits:
    def __init__(self, limits: Limits, at_once: int) -> None:
        self._under_way = asyncio.Semaphore(min(limits.concurrency or at_once, at_once))
        self._interval_s = 60 / limits.rpm if limits.rpm else 0.0
        self._next_s = 0.0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        async with self._under_way:
            now_s = asyncio.get_running_loop().time()
            start_s = max(now_s, self._next_s)
            self._next_s = start_s + self._interval_s
            await asyncio.sleep(start_s - now_s)
            yield


def _print(probes: Sequence[Probe], lacking: Mapping[str, str]) -> None:
    columns = ("model", "ok", "sees", "json", "temp.", "seed", "tokens", "cost", "s", "limits")
    table = new_table(*columns)
    for found in probes:
        reply = found.reply
        tokens = [MISSING if n is None else rough(n) for n in (reply.tokens_in, reply.tokens_out)]
        table.add_row(
            found.model.name,
            _MARKS[found.is_fine],
            *(_MARKS[found.accepts(parameter)] for parameter in _PARAMETERS),
            "+".join(tokens),
            usd_words(found.cost_usd),
            f"{reply.latency_s:.1f}",
            _told(reply),
        )
    if probes:
        console.print(table)
    for found in probes:
        for line in _findings(found):
            say(console, f"{found.model.name}: {line}")
        if keys := found.mend():
            # A model without an entry needs no target: its name is the target.
            entry = write_yaml({found.model.name: dict(keys)}, in_one_line=True)
            # Never wrapped, because people copy this line.
            console.print(f"  in a catalogue file: models: {entry.strip()}", soft_wrap=True)
    for name, lack in lacking.items():
        say(console, f"{name}: not asked: {lack}")


def _told(reply: Reply) -> str:
    quota = reply.quota
    if quota is None:
        return MISSING
    told = (quota.rpm, quota.tpm)
    return "/".join(MISSING if limit is None else rough(round(limit)) for limit in told)


def _findings(found: Probe) -> list[str]:
    if found.refusal is not None:
        refused = f"refused: {found.refusal}"
        if not found.refused:
            return [f"{refused} (no parameter was found that alone is at fault)"]
        likely = "takes no" if found.is_sure else "probably takes no"
        named = " and no ".join(
            found.model.max_tokens_name if name == "max_tokens" else name for name in found.refused
        )
        return [refused, f"{likely} {named}, found with {found.calls} calls"]
    if not found.is_reached:
        return [f"{found.reply.error_kind}: {found.reply.error}"]
    if found.is_cut_short:
        return ["the reply was cut short: the model needs more room to think"]
    said = {"picture": "named other colours than the picture's", "schema": "ignored the schema"}
    quoted = repr(found.reply.text[:80])
    return [f"{words}: {quoted}" for name, words in said.items() if found.accepts(name) is False]


def _as_mapping(found: Probe) -> Mapping[str, Any]:
    reply, model = found.reply, found.model
    is_priced = model.usd_per_mtok_in is not None and model.usd_per_mtok_out is not None
    return {
        "model": model.name,
        "ok": found.is_fine,
        "reached": found.is_reached,
        **{parameter: found.accepts(parameter) for parameter in _PARAMETERS},
        "sent": found.sent,
        "refused": found.refused,
        "is_sure": found.is_sure,
        "mend": found.mend(),
        "error": found.refusal or reply.error,
        "reply": reply.text,
        **{name: getattr(reply, name) for name in _OF_REPLY},
        "price": "catalogue" if is_priced else None if reply.cost_usd is None else "reply",
        "quota": None if reply.quota is None else asdict(reply.quota),
        "calls": found.calls,
        "cost_usd": found.cost_usd,
    }
