"""How a running run is shown: a live table on a terminal, else a line now and then."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic, time

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.fitted_names import fitted_names
from mirror_ray.engine.driver.fitted_table import FittedColumn, fitted_table
from mirror_ray.engine.driver.model_counts import ModelLine
from mirror_ray.engine.driver.money import MISSING, at_least, spent_cell, spent_words, usd

PLAIN_EVERY_S = 10.0

FEWEST_ROWS = 5
FEWEST_CELLS_OF_A_BAR = 100
_BAR_CELLS = 24
_BESIDE_ROWS = 8
"""Lines of the display that are no rows of models."""
_MOST_NOTES = 6


class Progress:
    """Shows a run's counters, for as long as there is a terminal or a reader; the run goes on
    without.

    Args:
        plain: lines instead of a live table, as for a log file.
    """

    def __init__(self, counters: RunCounters, console: Console, *, plain: bool) -> None:
        self._counters = counters
        self._console = console
        self._live: Live | None = None
        if not plain and console.is_terminal:
            self._live = Live(console=console, auto_refresh=False, transient=True)
        self._next_line_s = monotonic() + PLAIN_EVERY_S
        self._is_seen = True

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Shows it for as long as the block runs; the last figures stay as a line."""
        if self._live is not None:
            self._show(self._live.start)
        try:
            yield
        finally:
            self._stop()
        self.end()

    def end(self) -> None:
        """Leaves the last figures as a line."""
        self._stop()
        self._show(self._print_end)

    def refresh(self) -> None:
        """Shows the counters as they are now; news are printed above them and stay."""
        self._show(self._refresh)

    def _stop(self) -> None:
        if self._live is not None:
            self._show(self._live.stop)

    def _show(self, show: Callable[[], object]) -> None:
        if self._is_seen:
            try:
                show()
            except OSError:
                # The terminal or the pipe is gone.
                self._is_seen = False

    def _print_end(self) -> None:
        self._print_news()
        self._console.print(headline(self._counters))

    def _refresh(self) -> None:
        self._print_news()
        if self._live is not None:
            size = self._console.size
            self._live.update(live_view(self._counters, size.width, size.height), refresh=True)
        elif monotonic() >= self._next_line_s:
            self._next_line_s = monotonic() + PLAIN_EVERY_S
            self._console.print(headline(self._counters))
            for note in _notes(self._counters.lines, 1_000):
                self._console.print(note)

    def _print_news(self) -> None:
        for line in self._counters.news():
            self._console.print(Text(line, style="yellow"))


def headline(counters: RunCounters) -> Text:
    """The whole run in a line: episodes, pace, money, and times by the clock."""
    parts = [
        f"{counters.done:,}/{counters.planned:,} episodes",
        *([f"{counters.failed:,} failed"] if counters.failed else []),
        *([f"{counters.unpaid:,} unpaid"] if counters.unpaid else []),
        f"{counters.steps:,} steps",
        f"{counters.steps_per_s:.1f} steps/s",
        f"{counters.calls:,} calls",
        _money(counters),
        f"{timedelta(seconds=round(counters.elapsed_s))} so far",
    ]
    if counters.replied_at is not None:
        parts.append(f"last reply {max(0.0, time() - counters.replied_at):.0f} s ago")
    eta_s = counters.eta_s
    if counters.stopping:
        parts.append(f"stopping: {counters.replies_due:,} replies due")
    elif eta_s is not None and counters.unplayed:
        left = timedelta(seconds=round(eta_s))
        parts.append(f"about {left} left, until {_clock(time() + eta_s)}")
    return Text(" · ".join(parts))


def live_view(counters: RunCounters, width: int, height: int) -> RenderableType:
    """The display of a terminal of so many cells and lines."""
    lines, more = _most_telling(counters.lines, max(FEWEST_ROWS, height - _BESIDE_ROWS))
    parts: list[RenderableType] = [_bar(counters, width), _table(lines, width)]
    if more:
        parts.append(Text(f"… and {more:,} more models", style="dim"))
    parts += _notes(counters.lines, width)
    totals = _totals(counters.lines)
    return Group(*parts, *([Text(totals, style="dim")] if totals else []))


def _bar(counters: RunCounters, width: int) -> RenderableType:
    """The headline, beside a bar where there is room for one."""
    if width < FEWEST_CELLS_OF_A_BAR:
        return headline(counters)
    line = Table.grid(padding=(0, 1))
    ended = counters.planned - counters.unplayed
    bar = ProgressBar(total=max(1, counters.planned), completed=ended, width=_BAR_CELLS)
    line.add_row(bar, headline(counters))
    return line


def _table(lines: Sequence[ModelLine], width: int) -> Table:
    def column(title: str, cells: Iterable[str], rank: int) -> FittedColumn:
        return FittedColumn(title, tuple(cells), rank)

    columns = [
        column("episodes", (f"{one.done:,}/{one.planned:,}" for one in lines), 0),
        column("failed", (_some(one.failed) for one in lines), 2),
        column("unpaid", (_some(one.unpaid) for one in lines), 2),
        column("calls", (f"{one.calls:,}" for one in lines), 6),
        column("waiting", (f"{one.waiting:,}" for one in lines), 4),
        column("retried", (_some(sum(one.retried.values())) for one in lines), 3),
        column("errors", (_some(sum(one.errors.values())) for one in lines), 3),
        column("spent", (_spent(one) for one in lines), 1),
        column("reserved", (_some_usd(one.costs.reserved_usd) for one in lines), 8),
        column("budget", (_some_usd(one.costs.ceiling_usd) for one in lines), 7),
        column("in all", (usd(one.costs.projected_usd) for one in lines), 5),
        column("latency", map(_latency, lines), 9),
    ]
    return fitted_table([one.model for one in lines], columns, width)


def _most_telling(lines: Sequence[ModelLine], rows: int) -> tuple[Sequence[ModelLine], int]:
    """All lines, or as many as there is room for: those with trouble, then the busiest."""
    if len(lines) <= rows:
        return lines, 0
    ranked = sorted(
        lines,
        key=lambda one: (one.unreachable is None, not one.failed, -one.waiting, -one.calls),
    )
    chosen = {one.model for one in ranked[: rows - 1]}
    return [one for one in lines if one.model in chosen], len(lines) - len(chosen)


def _notes(lines: Sequence[ModelLine], width: int) -> list[Text]:
    """What holds models up now."""
    held = [one for one in lines if one.unreachable is not None]
    held += [one for one in lines if one.unreachable is None and one.paused_s]
    names = fitted_names([one.model for one in held], max(16, width // 3))
    notes = [Text(f"{names[one.model]}: {_held_up(one)}", style="yellow") for one in held]
    if len(notes) > _MOST_NOTES:
        more = len(notes) - _MOST_NOTES + 1
        notes[_MOST_NOTES - 1 :] = [Text(f"… and {more:,} more models held up", style="yellow")]
    return notes


def _held_up(line: ModelLine) -> str:
    down = line.unreachable
    if down is None:
        return f"paused {line.paused_s:.0f} s, {line.waiting:,} waiting"
    soon = f"next try in {down.next_try_s:.0f} s" if down.next_try_s else "being tried again"
    since = _clock(time() - down.since_s)
    return f"unreachable since {since} ({down.error_kind}), {soon}, {line.waiting:,} waiting"


def _totals(lines: Sequence[ModelLine]) -> str:
    """Failed attempts and failed asks of all models, by kind."""
    said = []
    for what, kinds in (
        ("tried again", _summed(one.retried for one in lines)),
        ("errors", _summed(one.errors for one in lines)),
    ):
        if kinds:
            listed = ", ".join(f"{kind} ×{times:,}" for kind, times in sorted(kinds.items()))
            said.append(f"{what}: {listed}")
    return " · ".join(said)


def _summed(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    summed = Counter[str]()
    for one in counts:
        summed.update(one)
    return summed


def _money(counters: RunCounters) -> str:
    """Spent, the ceiling, and the projected total."""
    ceiling_usd = counters.costs.ceiling_usd
    of = "" if ceiling_usd is None else f" of {usd(ceiling_usd)}"
    unpriced = counters.unpriced
    spent = spent_words(counters.spent_usd, unpriced)
    return f"{spent}{of}, {at_least(counters.projected_usd, unpriced)} in all"


def _spent(line: ModelLine) -> str:
    return spent_cell(line.costs.known_usd, line.costs.unpriced)


def _latency(line: ModelLine) -> str:
    return MISSING if line.latency_s is None else f"{line.latency_s:.2f} s"


def _some(number: int) -> str:
    return f"{number:,}" if number else ""


def _some_usd(amount: float | None) -> str:
    return usd(amount) if amount else ""


def _clock(unix_s: float) -> str:
    """By the clock of this machine, with the date where that is another day."""
    then, now = datetime.fromtimestamp(unix_s), datetime.now()
    return f"{then:%H:%M}" if then.date() == now.date() else f"{then:%a %d %b %H:%M}"
