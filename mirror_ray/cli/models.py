"""`mirror-ray models`: the catalogue, with limits and prices, and whether each key is set."""

import os
from argparse import Namespace
from pathlib import Path

from mirror_ray.cli.show import MISSING, as_mappings, console, new_table, print_json
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.credentials import missing_env, wanted_env

_COLUMNS = ("model", "key", "rpm", "tpm", "concurrency", "usd_per_mtok_in", "usd_per_mtok_out")


def main(arguments: Namespace) -> int:
    """Prints one row per model that matches the pattern; 1 when none does."""
    catalogue = load_catalogue(*map(Path, arguments.catalogue))
    rows = []
    for name in catalogue.match(arguments.pattern):
        model = catalogue.resolve(name, where="command line: PATTERN")
        wanted = wanted_env(model, os.environ)
        state = "not set" if missing_env(model, os.environ) else "set"
        key = f"{', '.join(wanted)} {state}" if wanted else "none needed"
        limits = model.limits
        prices = (model.usd_per_mtok_in, model.usd_per_mtok_out)
        rows.append((name, key, limits.rpm, limits.tpm, limits.concurrency, *prices))
    if arguments.json:
        print_json(as_mappings(_COLUMNS, rows))
    elif rows:
        table = new_table("model", "key", "rpm", "tpm", "at once", "$/M in", "$/M out", left=2)
        for name, key, *figures in rows:
            table.add_row(name, key, *(MISSING if x is None else f"{x:,g}" for x in figures))
        console.print(table)
    else:
        console.print(f"no model matches {arguments.pattern!r}: mirror-ray models lists all")
    return 0 if rows else 1
