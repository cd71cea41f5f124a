"""A parser whose errors say what to type instead."""

import re
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Sequence
from typing import NoReturn

from mirror_ray.cli.guesses import instead_of_command, instead_of_option
from mirror_ray.core.untrusted import one_printable_line

_INVALID_CHOICE = re.compile(r"argument COMMAND: invalid choice: '([^']{0,200})'")


class CommandParser(ArgumentParser):
    """`ArgumentParser` whose errors print the usage, one sentence and a suggested fix."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message; suggest a command for an unknown one."""
        if found := _INVALID_CHOICE.match(message):
            fix = instead_of_command(found[1], self.commands)
            self._end(f"no command {found[1]!r}", fix)
        self._end(message, "see --help")

    def refuse_options(self, command: str, words: Sequence[str]) -> NoReturn:
        """End with the usage of the command, and a suggestion for each word."""
        of_command = self.commands[command]
        of_command.print_usage(sys.stderr)
        for word in words:
            options = list(of_command._option_string_actions)
            what = "option" if word.startswith("-") else "argument"
            fix = instead_of_option(word, options) if word.startswith("-") else _as_override(word)
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
