"""The command line's parser, whose errors say what to type instead. The commands and arguments are
in `commands.toml`; every start reads them, and TOML is quicker to read than YAML."""

import re
import sys
import tomllib
from argparse import (
    SUPPRESS,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
    _ArgumentGroup,
    _SubParsersAction,
)
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from mirror_ray import __version__
from mirror_ray.core.spelling import close_names
from mirror_ray.core.untrusted import one_printable_line

_EXIT_CODES = """\
Exit codes: 0 done, 1 some episodes ended with an error, 2 bad input, 3 budget reached, 4 hosts or
processes lost (resumable), 130 interrupted (resumable), 141 output pipe closed.
"""

_MOST_RENDERERS = 64
_NO_DASHES = "keys of the sweep are written KEY=VALUE, without dashes"
_INVALID_CHOICE = re.compile(r"argument COMMAND: invalid choice: '([^']{0,200})'")


class CommandParser(ArgumentParser):
    """`ArgumentParser` whose errors print the usage, one sentence and a suggested fix."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message; suggest a command for an unknown one."""
        if found := _INVALID_CHOICE.match(message):
            fix = _instead_of_command(found[1], self.commands)
            self._end(f"no command {found[1]!r}", fix)
        self._end(message, "see --help")

    def refuse_options(self, command: str, words: Sequence[str]) -> NoReturn:
        """Exit with the usage of the command, and a suggestion for each word."""
        of_command = self.commands[command]
        of_command.print_usage(sys.stderr)
        for word in words:
            options = list(of_command._option_string_actions)
            what = "option" if word.startswith("-") else "argument"
            fix = _instead_of_option(word, options) if word.startswith("-") else _as_override(word)
            of_command._say(f"no {what} {word!r}", fix)
        self.exit(2)

    @property
    def commands(self) -> dict[str, "CommandParser"]:
        """Name → parser."""
        actions = self._subparsers._group_actions if self._subparsers else []
        return {
            name: parser
            for action in actions
            if isinstance(action, _SubParsersAction)
            for name, parser in action.choices.items()
        }

    def _say(self, message: str, fix: str) -> None:
        told = f"{self.prog}: {one_printable_line(message, 1_000)}"
        print(f"{told}\n  fix:     {fix}", file=sys.stderr)

    def _end(self, message: str, fix: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self._say(message, fix)
        self.exit(2)


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
    # The groups list the commands; argparse would list them a second time.
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


def with_limit(arguments: Namespace) -> list[str]:
    """Return the overrides, with ``--limit`` and ``--shard`` translated into overrides."""
    named = {"limit": arguments.limit, "shard": arguments.shard}
    given = [f"{key}={value}" for key, value in named.items() if value is not None]
    return [*arguments.overrides, *given]


def _as_override(word: str) -> str:
    return f"overrides are KEY=VALUE: {word}=…" if word.isidentifier() else "see --help"


def _instead_of_command(word: str, commands: Iterable[str]) -> str:
    if said := _said_to("commands", word):
        return said
    if word.endswith((".yaml", ".yml")):
        return f"a command comes first: `mirror-ray plan {word}`"
    close = close_names(word, commands, 3)
    return f"did you mean {' or '.join(close)}?" if close else "`mirror-ray --help` lists commands"


def _instead_of_option(word: str, options: Iterable[str]) -> str:
    name, _, value = word.partition("=")
    key = name.lstrip("-").replace("-", "_")
    if key in _guesses()["keys"]:
        return f"{key}={value or '…'}: {_NO_DASHES}"
    if said := _said_to("options", name):
        return said
    close = close_names(name, options, 2)
    return f"did you mean {' or '.join(close)}?" if close else "see --help"


def _said_to(kind: str, word: str) -> str | None:
    return next((str(one["say"]) for one in _guesses()[kind] if word in one["to"]), None)


def _guesses() -> Any:
    # Imported late: reading YAML takes longer than the rest of `--help`.
    from mirror_ray.core.shipped_files import shipped_yaml  # noqa: PLC0415

    return shipped_yaml("mirror_ray.cli", "guesses.yaml")
