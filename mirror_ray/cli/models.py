"""`mirror-ray models` lists catalogue entries, and whether each model can be called from here."""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from mirror_ray.cli.check import check
from mirror_ray.cli.show import console, new_table, print_json, rough
from mirror_ray.core.errors import SweepError
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.credentials import missing_env, wanted_env
from mirror_ray.providers.model import Model
from mirror_ray.sweep.by_model import GLOB

_PATTERN = "command line: PATTERN"
_SHOWN = (
    *("backend", "plugin", "target", "base_url", "reasoning_effort"),
    *("vision", "sends_schema", "sends_temperature", "sends_seed"),
    *("usd_per_mtok_in", "usd_per_mtok_out", "usd_per_mtok_cached"),
)
_SHOWN_LIMITS = ("rpm", "tpm", "rpd", "day_zone", "window", "concurrency")
_MOST_ALIKE = 5
_WIDEST_NAME = 38
"""Longer names are folded, so that the table fits 100 columns."""


def main(arguments: Namespace) -> int:
    """Print a row per matching model; return 1 if a check failed. Raise SweepError if none
    matches."""
    catalogue = load_catalogue(*map(Path, arguments.catalogue))
    names = catalogue.match(arguments.pattern)
    if not names and not GLOB & set(arguments.pattern):
        names = (arguments.pattern,)
    models = [catalogue.resolve(name, where=_PATTERN) for name in names]
    if not models:
        wider = f"*{arguments.pattern.strip('*')}*"
        alike = catalogue.match(wider)[:_MOST_ALIKE]
        raise SweepError(
            _PATTERN,
            f"no model matches {arguments.pattern!r}",
            "a name or glob of the catalogue's models",
            f"{wider!r} names {', '.join(alike)}" if alike else "mirror-ray models lists all",
        )
    if arguments.check:
        return check(models, arguments.at_once, as_json=arguments.json)
    if arguments.json:
        print_json([_as_mapping(model) for model in models])
    else:
        _print(models)
    return 0


def _print(models: Sequence[Model]) -> None:
    table = new_table("model", "key", "sees", "json", "temp.", "seed", "limits", "$/M")
    table.columns[0].max_width = _WIDEST_NAME
    unset: dict[str, list[str]] = {}
    for model in models:
        wanted, missing = wanted_env(model, os.environ), missing_env(model, os.environ)
        for variable in missing:
            unset.setdefault(variable, []).append(model.name)
        hosted = not model.is_offline
        limits = (model.limits.rpm, model.limits.tpm, model.limits.concurrency)
        prices = (model.usd_per_mtok_in, model.usd_per_mtok_out)
        taken = (model.vision, model.sends_schema, model.sends_temperature, model.sends_seed)
        table.add_row(
            model.name,
            _mark(not missing) if wanted else MISSING,
            *(_mark(takes) if hosted else MISSING for takes in taken),
            "/".join(MISSING if limit is None else rough(round(limit)) for limit in limits),
            "/".join(MISSING if price is None else f"{price:g}" for price in prices),
        )
    console.print(table)
    console.print(
        "json: takes a schema. limits: requests and tokens a minute, calls at once."
        " $/M: dollars per million tokens in and out. –: none or unknown."
    )
    for variable, names in sorted(unset.items()):
        console.print(f"{variable} is not set: {len(names)} of these models need it.")


def _mark(yes: bool) -> str:
    return "✓" if yes else "✗"


def _as_mapping(model: Model) -> dict[str, object]:
    return {
        "model": model.name,
        **{name: getattr(model, name) for name in _SHOWN},
        "env": wanted_env(model, os.environ),
        "env_missing": missing_env(model, os.environ),
        "limits_key": model.limits.key,
        **{name: getattr(model.limits, name) for name in _SHOWN_LIMITS},
    }
