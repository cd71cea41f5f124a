"""The console that prints everything meant for people.

Text from outside (replies, errors, names in sweeps and run directories) is harmless in every output
encoding: no markup, no emoji codes, no control characters, no halves of surrogate pairs."""

import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from mirror_ray.core.untrusted import printable

_WIDTH_OF_A_FILE = 110
_PIECES = re.compile(r"\s+|\S+")


class Terminal(Console):
    """A rich console that prints strings as they are, made harmless, to `file` or standard output.
    Only `rich.text.Text` has styles."""

    def __init__(self, file: TextIO | None = None) -> None:
        stream = sys.stdout if file is None else file
        # A pipe has no width: rich would assume 80 columns and cut tables that fit a page.
        has_width = stream.isatty() or "COLUMNS" in os.environ
        self.has_width = has_width
        super().__init__(
            file=file,
            width=None if has_width else _WIDTH_OF_A_FILE,
            highlight=False,
            markup=False,
            emoji=False,
        )

    def on_broken_pipe(self) -> None:
        """Raise an error that `mirror_ray.cli.main` turns into an exit code, where rich would
        exit."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render as rich does, with every character of a text printable."""
        for segment in super().render(renderable, options):
            # Control segments come from rich itself: cursor movements of a live display.
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def say(console: Console, text: str) -> None:
    """Print prose with line breaks only between words. A pipe has no width, so nothing is broken
    there."""
    if not isinstance(console, Terminal) or console.has_width:
        text = "\n".join(_wrapped(line, console.width) for line in text.split("\n"))
    console.print(text, markup=False, soft_wrap=True)


def _wrapped(line: str, width: int) -> str:
    lines, gap = [""], ""
    for piece in _PIECES.findall(line):
        if piece.isspace():
            gap = piece
            continue
        if lines[-1] and cell_len(lines[-1] + gap + piece) > width:
            lines.append(piece)
        else:
            lines[-1] += gap + piece
        gap = ""
    return "\n".join(lines)
