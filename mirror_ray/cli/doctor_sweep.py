"""The checks of `mirror-ray doctor SWEEP` for a sweep. Endpoints are only connected to."""

import os
import shutil
import socket
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from mirror_ray.cli.show import Finding, FindingVerdict, counted
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.first_names import first_names
from mirror_ray.engine.server.preflight import LOOPBACK_HOSTS, lacks, too_few_gpus
from mirror_ray.providers.credentials import (
    fault_of_base_url,
    missing_env,
    missing_packages,
    unusable_keys,
    wanted_env,
)
from mirror_ray.providers.known_models import misspelt
from mirror_ray.providers.model import Model
from mirror_ray.providers.redirections import redirections
from mirror_ray.records.storage import home_of, is_address
from mirror_ray.sweep.commands import OPTION, may_run_commands
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

CONNECT_WITHIN_S = 3.0
BYTES_PER_ASK = 16 * 1024
"""The most bytes of a request in the journal and in a shard, from experience with long replies."""

_EXTRAS = {
    "report": (("vl_convert",), "the report's page and figures"),
    "export": (("inspect_ai", "mlcroissant"), "exports to other tools"),
    "replay": (("av",), "episodes as MP4"),
}
_BASE = "API_BASE"
"""Part of the name of variables that contain an address, such as `HOSTED_VLLM_API_BASE`."""


def findings_on(
    sweep: str, overrides: Sequence[str], out: str | None, *, allow_commands: bool = False
) -> Iterator[Finding]:
    """Check the sweep's keys, packages, endpoints, own servers, extras, disk and notifications.
    Raise SweepError if the sweep itself is wrong."""
    plan = load_plan(sweep, overrides, out)
    yield Finding(
        "sweep",
        "ok",
        f"{plan.sweep.name}: {counted(len(plan.episodes), 'episode')},"
        f" {counted(len(plan.models), 'model')}"
        f"{'' if plan.begun == len(plan.stages) else '; later stages follow from rows'}",
    )
    models = list(plan.models.values())
    for line in misspelt(models):
        yield Finding("models", "note", line)
    yield from _keys(models)
    yield from _packages(models)
    yield from _endpoints(models)
    yield from _redirected(models)
    yield from _servers(models, may_run=may_run_commands(plan, allowed=allow_commands))
    yield from _extras()
    yield _disk(plan)
    yield from _notify(plan)


def _keys(models: Iterable[Model]) -> Iterator[Finding]:
    wanting: dict[str, list[str]] = {}
    unset: set[str] = set()
    faults: dict[str, str] = {}
    for model in models:
        faults |= unusable_keys(model, os.environ)
        for variable in wanted_env(model, os.environ):
            wanting.setdefault(variable, []).append(model.name)
        unset |= set(missing_env(model, os.environ))
    for variable, names in sorted(wanting.items()):
        if variable in unset:
            yield Finding(variable, "fault", f"not set: export {variable}=…; for {_named(names)}")
        elif variable in faults:
            yield Finding(variable, "fault", f"{faults[variable]}; for {_named(names)}")
        else:
            yield Finding(variable, "ok", f"set; for {_named(names)}")


def _packages(models: Iterable[Model]) -> Iterator[Finding]:
    missing: dict[str, list[str]] = {}
    for model in models:
        for package in missing_packages(model):
            missing.setdefault(package, []).append(model.name)
    for package, names in sorted(missing.items()):
        yield Finding(package, "fault", f"pip install {package}; for {_named(names)}")


def _endpoints(models: Iterable[Model]) -> Iterator[Finding]:
    serving: dict[tuple[str, int], list[str]] = {}
    elsewhere: list[str] = []
    for model in models:
        address = _address(model)
        place = None if address is None else _place(address)
        if place is not None:
            serving.setdefault(place, []).append(model.name)
        elif not model.is_offline and model.serve is None:
            elsewhere.append(model.name)
    with ThreadPoolExecutor(max_workers=16) as pool:
        troubles = pool.map(_trouble, serving)
        for (host, port), trouble in zip(serving, troubles, strict=True):
            names = _named(serving[host, port])
            what = f"answers; for {names}" if trouble is None else f"{trouble}; for {names}"
            yield Finding(f"{host}:{port}", "ok" if trouble is None else "fault", what)
    if elsewhere:
        what = f"at their providers' own addresses, not connected to: {_named(elsewhere)}"
        yield Finding("endpoints", "note", f"{what}; `mirror-ray models NAME --check` asks once")


def _redirected(models: Iterable[Model]) -> Iterator[Finding]:
    for name, where in redirections(os.environ).items():
        yield Finding(name, "note", f"calls follow it: {where}")
    for model in models:
        fault = None if model.base_url is None else fault_of_base_url(model.base_url)
        if fault is not None:
            yield Finding(f"{model.name}.base_url", "note", fault)


def _servers(models: Iterable[Model], *, may_run: bool) -> Iterator[Finding]:
    """Yield what this machine lacks to serve models. In a cluster these are notes, because other
    hosts may serve them. `may_run` says whether the interpreters that the catalogues name may be
    run."""
    lacking: FindingVerdict = "note" if os.environ.get("RAY_ADDRESS") else "fault"
    for model in models:
        if model.serve is None:
            continue
        if not may_run:
            what = f"its command is not allowed yet: run and doctor take {OPTION}"
            yield Finding(f"{model.name}.serve", "note", what)
        found = lacks(model.serve, LOOPBACK_HOSTS, may_run=may_run)
        if found is None:
            yield Finding(f"{model.name}.serve", "ok", "this machine has what its server needs")
        else:
            key, got, fix = found
            yield Finding(f"{model.name}.serve.{key}", lacking, f"{got}: {fix}")
        if (few := too_few_gpus(model.serve)) is not None:
            words, sure = few
            yield Finding(f"{model.name}.serve.gpus", lacking if sure else "note", words)


def _address(model: Model) -> str | None:
    if model.base_url is not None:
        return model.base_url
    named = (os.environ.get(name) for name in wanted_env(model, os.environ) if _BASE in name)
    return next(filter(None, named), None)


def _place(address: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.hostname, port or (443 if parts.scheme == "https" else 80)


def _trouble(place: tuple[str, int]) -> str | None:
    try:
        socket.create_connection(place, CONNECT_WITHIN_S).close()
    except OSError as error:
        return f"nobody answers ({error.strerror or type(error).__name__})"
    return None


def _extras() -> Iterator[Finding]:
    for extra, (packages, use) in _EXTRAS.items():
        missing = [package for package in packages if find_spec(package) is None]
        if missing:
            what = f"pip install 'mirror-ray[{extra}]' for {use}: no {', '.join(missing)}"
            yield Finding(f"extra {extra}", "note", what)


def _disk(plan: Plan) -> Finding:
    out = plan.sweep.out
    asks = sum(FAMILIES[spec.cell.family].max_asks(spec) for spec in plan.episodes)
    needed_gb = asks * BYTES_PER_ASK / 1e9
    home = home_of(out) if is_address(out) else Path(out).absolute()
    there = next(folder for folder in (home, *home.parents) if folder.is_dir())
    free_gb = shutil.disk_usage(there).free / 1e9
    said = (
        f"{free_gb:,.1f} GB free for {out}; at most {_gb(needed_gb)} for"
        f" {counted(len(plan.episodes), 'episode')} of {counted(asks, 'request')} in all"
    )
    if not os.access(there, os.W_OK):
        return Finding("disk", "fault", f"{there} cannot be written; {said}")
    return Finding("disk", "ok" if free_gb > needed_gb else "fault", said)


def _notify(plan: Plan) -> Iterator[Finding]:
    notify = plan.sweep.notify
    if notify is None:
        return
    if notify.command:
        found = shutil.which(notify.command[0]) is not None
        what = f"{notify.command[0]} {'found' if found else 'not found on this machine'}"
        yield Finding("notify", "ok" if found else "fault", what)
    if notify.webhook is not None:
        yield Finding("notify", "ok", f"a webhook, on {', '.join(notify.on)}")


def _gb(amount: float) -> str:
    return f"{amount:,.1f} GB" if amount >= 0.1 else f"{max(1, amount * 1000):,.0f} MB"


_named = partial(first_names, most=4)
