"""`mirror-ray models` lists catalogue entries, and whether each model can be asked from here."""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from mirror_ray.cli.check import check
from mirror_ray.cli.show import console, new_table, print_json, rough
from mirror_ray.core.errors import SweepError
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.providers.catalogue import Catalogue, load_catalogue
from mirror_ray.providers.credentials import missing_env, wanted_env
from mirror_ray.providers.model import Model

_PATTERN = "command line: PATTERN"
_MOST_ALIKE = 5
_WIDEST_NAME = 38
"""Longer names are folded, so that the table fits 100 columns."""


def main(arguments: Namespace) -> int:
    """Print one row per model that the pattern names; return 1 if a check failed.

    Raises:
        SweepError: it names none.
    """
    catalogue = load_catalogue(*map(Path, arguments.catalogue))
    models = _named(arguments.pattern, catalogue)
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


def _named(pattern: str, catalogue: Catalogue) -> list[Model]:
    names = catalogue.match(pattern)
    if not names and not set(pattern) & set("*?["):
        names = (pattern,)
    return [catalogue.resolve(name, where=_PATTERN) for name in names]


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
    limits = model.limits
    return {
        "model": model.name,
        "backend": model.backend,
        "plugin": model.plugin,
        "target": model.target,
        "base_url": model.base_url,
        "env": wanted_env(model, os.environ),
        "env_missing": missing_env(model, os.environ),
        "vision": model.vision,
        "sends_schema": model.sends_schema,
        "sends_temperature": model.sends_temperature,
        "sends_seed": model.sends_seed,
        "reasoning_effort": model.reasoning_effort,
        "limits_key": limits.key,
        "rpm": limits.rpm,
        "tpm": limits.tpm,
        "rpd": limits.rpd,
        "day_zone": limits.day_zone,
        "window": limits.window,
        "concurrency": limits.concurrency,
        "usd_per_mtok_in": model.usd_per_mtok_in,
        "usd_per_mtok_out": model.usd_per_mtok_out,
        "usd_per_mtok_cached": model.usd_per_mtok_cached,
    }
