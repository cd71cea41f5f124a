"""A table whose words are never broken in a narrow terminal, but are on lines above their
figures."""

from collections.abc import Iterator, Sequence
from math import isfinite

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_UNBOUNDED = 10_000
"""Terminal cells; more than any table needs."""


class NarrowTable(Table):
    """A table that a narrow terminal shows in another layout instead of breaking words.

    If a row is too wide for a line, its words take one line and the figures follow below, each
    named on its own line if necessary. A table of words alone then has one column per line.

    Args:
        left: how many of the first columns are words.
    """

    def __init__(self, *columns: str, title: str | None, left: int) -> None:
        super().__init__(
            title=title, title_justify="left", header_style="bold", box=box.SIMPLE_HEAD
        )
        self._left = left
        for place, column in enumerate(columns):
            words = place < left
            self.add_column(
                column,
                justify="left" if words else "right",
                overflow="fold" if words else "ellipsis",
                no_wrap=not words,
            )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        only_words = self._left == len(self.columns)
        width = _width(console, options, self)
        if only_words and width.minimum > options.max_width:
            yield from self._one_below_the_other(options.max_width)
            return
        if only_words or width.maximum <= options.max_width:
            yield from super().__rich_console__(console, options)
            return
        if self.title:
            yield Text(str(self.title), style="italic")
        rows = [[_text(cell) for cell in row] for row in zip(*self._cells(), strict=True)]
        figures = [row[self._left :] for row in rows]
        aligned = self._aligned(figures)
        fits = all(_width(console, options, one).maximum <= options.max_width for one in aligned)
        for place, row in enumerate(rows):
            yield self._words(row, options.max_width)
            yield aligned[place] if fits else self._named(figures[place])
            if self.rows[place].end_section:
                yield Text()
        yield Text()

    def _one_below_the_other(self, width: int) -> Iterator[RenderableType]:
        names = [str(column.header) for column in self.columns]
        longest = max(map(len, names), default=0)
        for row in zip(*self._cells(), strict=True):
            block = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
            block.add_column(style="dim", width=longest, no_wrap=longest < width // 2)
            block.add_column(overflow="fold")
            for name, cell in zip(names, row, strict=True):
                block.add_row(name, _text(cell))
            yield block
            yield Text()

    def _cells(self) -> Iterator[list[RenderableType]]:
        return (list(column.cells) for column in self.columns)

    def _aligned(self, rows: Sequence[Sequence[Text]]) -> list[Table]:
        columns = self.columns[self._left :]
        headers = [Text(str(column.header)) for column in columns]
        widths = [
            max(line.cell_len for text in texts for line in text.split("\n"))
            for texts in zip(headers, *rows, strict=True)
        ]
        tables = []
        for place, row in enumerate(rows):
            table = Table(
                box=None, padding=(0, 0, 0, 2), show_header=not place, header_style="bold"
            )
            for header, width in zip(headers, widths, strict=True):
                table.add_column(header, justify="right", width=width, no_wrap=True)
            table.add_row(*row)
            tables.append(table)
        return tables

    def _words(self, row: Sequence[Text], width: int) -> Text:
        words = [
            Text.assemble(f"{column.header} ", word) if _is_figure(word.plain) else word
            for column, word in zip(self.columns[: self._left], row, strict=False)
            if word.plain
        ]
        first, *notes = Text(" · ").join(words).split("\n")
        lines = [Text.assemble(first, style="bold"), *notes]
        one = Text("  ").join(lines)
        return one if one.cell_len <= width else Text("\n").join(lines)

    def _named(self, figures: Sequence[Text]) -> Group:
        named = [
            Text.assemble((f"{column.header}: ", "dim"), Text("  ").join(figure.split("\n")))
            for column, figure in zip(self.columns[self._left :], figures, strict=True)
            if figure.plain
        ]
        return Group(*(Padding(line, (0, 0, 0, 2)) for line in named))


def _width(console: Console, options: ConsoleOptions, drawn: RenderableType) -> Measurement:
    return Measurement.get(console, options.update(max_width=_UNBOUNDED), drawn)


def _text(cell: RenderableType) -> Text:
    return cell if isinstance(cell, Text) else Text(str(cell))


def _is_figure(word: str) -> bool:
    try:
        return isfinite(float(word))
    except ValueError:
        return False
