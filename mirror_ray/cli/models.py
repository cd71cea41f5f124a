"""`mirror-ray models`: the catalogue, with limits and prices, and whether each key is set."""

import os
from argparse import Namespace
from pathlib import Path

from mirror_ray.cli.show import as_mappings, console, print_json, print_rows
from mirror_ray.providers.catalogue import load_catalogue, missing_key

_COLUMNS = ("model", "key", "rpm", "tpm", "concurrency", "usd_per_mtok_in", "usd_per_mtok_out")


def main(arguments: Namespace) -> int:
    """Prints one row per model that matches the pattern; 1 when none does."""
    catalogue = load_catalogue(*map(Path, arguments.catalogue))
    rows = []
    for name in catalogue.match(arguments.pattern):
        model = catalogue.resolve(name, where="command line: PATTERN")
        key = "none needed"
        if model.api_key_env is not None:
            unset = missing_key(model, os.environ) is not None
            key = f"{model.api_key_env} ({'not set' if unset else 'set'})"
        limits = model.limits
        prices = (model.usd_per_mtok_in, model.usd_per_mtok_out)
        rows.append((name, key, limits.rpm, limits.tpm, limits.concurrency, *prices))
    if arguments.json:
        print_json(as_mappings(_COLUMNS, rows))
    elif rows:
        print_rows(_COLUMNS, rows)
    else:
        console.print(f"no model matches {arguments.pattern!r}: mirror-ray models lists all")
    return 0 if rows else 1
