"""How a run is shown while it goes on: a live table on a terminal, else a line now and then.

Knows rich and the board's figures; does not know where they come from.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mirror_ray.engine.board import Board, ModelLine

PLAIN_EVERY_S = 10.0
MISSING = "–"

_TITLES = (
    "model",
    "episodes",
    "calls",
    "waiting",
    "spent",
    "reserved",
    "budget",
    "in all",
    "latency",
    "lane",
    "errors",
)
_LEFT = frozenset({"model", "lane", "errors"})


class Progress:
    """Shows a board.

    Args:
        plain: lines instead of a live table, as for a log file.
    """

    def __init__(self, board: Board, console: Console, *, plain: bool) -> None:
        self._board = board
        self._console = console
        self._live: Live | None = None
        if not plain and console.is_terminal:
            self._live = Live(console=console, auto_refresh=False, transient=True)
        self._next_line_s = monotonic() + PLAIN_EVERY_S

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Shows it for as long as the block runs; the last figures stay as a line."""
        if self._live is None:
            yield
        else:
            with self._live:
                yield
        self.end()

    def end(self) -> None:
        """Leaves the last figures as a line."""
        if self._live is not None:
            self._live.stop()
        self._print_news()
        self._console.print(self._headline())

    def refresh(self) -> None:
        """Shows the board as it is now; news are printed above it and stay."""
        self._print_news()
        if self._live is not None:
            self._live.update(Group(self._bar(), self._models()), refresh=True)
        elif monotonic() >= self._next_line_s:
            self._next_line_s = monotonic() + PLAIN_EVERY_S
            self._console.print(self._headline())

    def _print_news(self) -> None:
        for line in self._board.news():
            self._console.print(Text(line, style="yellow"))

    def _headline(self) -> Text:
        board = self._board
        parts = [
            f"{board.done:,}/{board.planned:,} episodes",
            *([f"{board.failed:,} failed"] if board.failed else []),
            f"{board.steps:,} steps",
            f"{board.steps_per_s:.1f} steps/s",
            f"{board.calls:,} calls",
            _money(board),
        ]
        eta_s = board.eta_s
        if eta_s is not None and board.done + board.failed < board.planned:
            parts.append(f"about {timedelta(seconds=round(eta_s))} left")
        return Text(" · ".join(parts))

    def _bar(self) -> Table:
        board = self._board
        line = Table.grid(padding=(0, 1))
        bar = ProgressBar(
            total=max(1, board.planned), completed=board.done + board.failed, width=30
        )
        line.add_row(bar, self._headline())
        return line

    def _models(self) -> Table:
        table = Table(box=None, padding=(0, 1))
        rows = [_cells(line) for line in self._board.lines]
        # A terminal is narrow: what has nothing to say is left out.
        told = [place for place, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
        for place in told:
            title = _TITLES[place]
            table.add_column(title, justify="left" if title in _LEFT else "right")
        for row in rows:
            table.add_row(*(row[place] for place in told))
        return table


def _money(board: Board) -> str:
    """Spent, of how much, and what all of it will come to."""
    ceiling_usd = board.costs.ceiling_usd
    of = "" if ceiling_usd is None else f" of ${ceiling_usd:,.2f}"
    return f"${board.spent_usd:,.2f}{of}, {_usd(board.projected_usd)} in all"


def _cells(line: ModelLine) -> tuple[str, ...]:
    return (
        line.model,
        f"{line.done:,}/{line.planned:,}",
        f"{line.calls:,}",
        f"{line.waiting:,}",
        _usd(line.costs.spent_usd),
        _usd(line.costs.reserved_usd) if line.costs.reserved_usd else "",
        "" if line.costs.ceiling_usd is None else _usd(line.costs.ceiling_usd),
        _usd(line.costs.projected_usd),
        MISSING if line.latency_s is None else f"{line.latency_s:.2f} s",
        f"paused {line.paused_s:.0f} s" if line.paused_s else "",
        ", ".join(f"{kind} ×{times:,}" for kind, times in sorted(line.errors.items())),
    )


def _usd(amount: float | None) -> str:
    return MISSING if amount is None else f"${amount:,.2f}"
