"""The command line's parser: the commands and arguments of `commands.toml`. Every start reads
them, and TOML is quicker to read than YAML."""

import tomllib
from argparse import (
    SUPPRESS,
    ArgumentParser,
    ArgumentTypeError,
    RawDescriptionHelpFormatter,
    _ArgumentGroup,
)
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mirror_ray import __version__
from mirror_ray.cli.command_parser import CommandParser

_EXIT_CODES = """\
Exit codes: 0 done, 1 some episodes ended with an error, 2 bad input, 3 budget reached, 4 hosts or
processes lost (resumable), 130 interrupted (resumable), 141 output pipe closed.
"""

_MOST_RENDERERS = 64


@cache
def parser() -> CommandParser:
    """Return the parser of all commands and their options."""
    top = CommandParser(
        prog="mirror-ray",
        description="Sweeps mirror benchmarks over vision-language models, on Ray.",
        epilog=_EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"mirror-ray {__version__}")
    # The groups list the commands; argparse would list them once more.
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", help=SUPPRESS)
    said = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
    groups: dict[str, _ArgumentGroup] = {}
    for name, settings in said["commands"].items():
        heading, taken = settings.pop("group"), settings.pop("takes")
        command = commands.add_parser(name, **settings)
        command.set_defaults(command=name)
        _add_arguments(command, taken, said["shared"])
        if heading not in groups:
            groups[heading] = top.add_argument_group(heading)
        entry = list(commands._get_subactions())[-1]
        entry.metavar = entry.dest
        groups[heading]._group_actions.append(entry)
    top.usage = "mirror-ray [-h] [--version] COMMAND …"
    return top


def _add_arguments(
    command: ArgumentParser, taken: Sequence[str | dict[str, Any]], shared: Mapping[str, Any]
) -> None:
    groups: dict[str, _ArgumentGroup] = {}
    for one in taken:
        settings = dict(shared[one] if isinstance(one, str) else one)
        heading = settings.pop("group", None)
        if heading and heading not in groups:
            groups[heading] = command.add_argument_group(heading)
        if "type" in settings:
            settings["type"] = _TYPES[settings["type"]]
        (groups[heading] if heading else command).add_argument(settings.pop("name"), **settings)


def count_from_one(text: str) -> int:
    """Parse a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _counts(text: str) -> tuple[int, ...]:
    counts = text.split(",")
    if not all(count.isdecimal() and 1 <= int(count) <= _MOST_RENDERERS for count in counts):
        raise ArgumentTypeError(
            f"{text!r} is not a list of whole numbers from 1 to {_MOST_RENDERERS}, e.g. 1,2,4,8"
        )
    return tuple(map(int, counts))


_TYPES = {"int": int, "float": float, "count_from_one": count_from_one, "counts": _counts}
