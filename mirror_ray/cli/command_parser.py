"""A parser whose errors say what to type instead."""

import re
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from mirror_ray.core.spelling import close_names
from mirror_ray.core.untrusted import one_printable_line

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
        """End with the usage of the command, and a suggestion for each word."""
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
