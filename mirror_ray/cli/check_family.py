"""`mirror-ray check-family` checks that a family, built in or plugged in, fulfils the contract."""

from argparse import Namespace
from dataclasses import asdict

from rich.table import Table
from rich.text import Text

from mirror_ray.analysis.sql_files import files_of_plugin, layer_folders
from mirror_ray.api.family_contract import contract_of
from mirror_ray.api.family_tables import tables_of
from mirror_ray.cli.show import console, print_json
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.plugins import installed
from mirror_ray.core.spelling import did_you_mean

_MARKS = {True: Text("ok", "green"), False: Text("fault", "red"), None: Text("note", "yellow")}


def main(arguments: Namespace) -> int:
    """Print what was checked; return 1 if a check failed."""
    name = arguments.family
    if name not in FAMILIES:
        raise SweepError(
            "command line: FAMILY",
            repr(name),
            ", ".join(FAMILIES),
            did_you_mean(name, FAMILIES) or "name one of them, or install the package that has it",
        )
    FAMILIES.require_one(name)
    family = FAMILIES[name]
    plugin = installed("families").get(name)
    if plugin is not None:
        files_of_plugin(plugin, layer_folders())
    checks = [*contract_of(family, is_thorough=arguments.thorough)]
    # If the family does not play, its tables tell little.
    if all(check.holds is not False for check in checks):
        checks += tables_of(family)
    if arguments.json:
        print_json([asdict(check) for check in checks])
    else:
        console.print(Text(f"{name}: {plugin.words if plugin else 'of this package'}"))
        table = Table(show_header=False, box=None)
        for check in checks:
            table.add_row(_MARKS[check.holds], check.topic, Text(check.what))
        console.print(table)
    return int(any(check.holds is False for check in checks))
