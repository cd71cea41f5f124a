"""The command line's parser: every command, in the groups of `mirror-ray --help`."""

from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Callable
from functools import cache
from typing import TypeAlias, cast

from mirror_ray import __version__
from mirror_ray.cli.check_options import add_check_commands
from mirror_ray.cli.command_parser import CommandParser
from mirror_ray.cli.inspect_options import add_inspect_commands
from mirror_ray.cli.model_options import add_model_commands
from mirror_ray.cli.play_options import add_play_commands

_Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"

_EXIT_CODES = """\
Exit codes: 0 done, 1 some episodes ended with an error, 2 bad input, 3 budget reached, 4 hosts or
processes lost (resumable), 130 interrupted (resumable), 141 output pipe closed.
"""

_GROUPS: tuple[tuple[str, Callable[[_Commands], None]], ...] = (
    ("Play", add_play_commands),
    ("Inspect", add_inspect_commands),
    ("Check", add_check_commands),
    ("Other", add_model_commands),
)


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
    listed = 0
    for heading, add_commands in _GROUPS:
        add_commands(cast("_Commands", commands))
        group = top.add_argument_group(heading)
        for entry in list(commands._get_subactions())[listed:]:
            entry.metavar = entry.dest
            group._group_actions.append(entry)
            listed += 1
    top.usage = "mirror-ray [-h] [--version] COMMAND …"
    return top
