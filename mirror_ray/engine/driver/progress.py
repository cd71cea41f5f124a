"""Shows a run in progress: a live table on a terminal, otherwise a line now and then."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import StringIO
from math import inf
from time import monotonic, time

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.text import Text

from mirror_ray.core.terminal import Terminal
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.fitted_table import fitted_names
from mirror_ray.engine.driver.model_counts import ModelLine, sum_of_counts
from mirror_ray.engine.driver.model_groups import MOST_MODEL_ROWS
from mirror_ray.engine.driver.money import in_all_words, spent_words, usd_words
from mirror_ray.engine.driver.progress_table import FEWEST_ROWS, progress_table
from mirror_ray.engine.driver.rough_figures import time_left

PLAIN_EVERY_S = 10.0

_SILENT_S = 10.0
_NAME_CELLS = 24
_MOST_NOTES, _FEWEST_NOTES = 6, 2


class Progress:
    """Shows a run's counters, as lines if `plain`, while somebody can read them. The run does not
    depend on it."""

    def __init__(self, counters: RunCounters, console: Console, *, plain: bool) -> None:
        self._counters = counters
        self._console = console
        self._live: Live | None = None
        # A terminal without cursor movement would show nothing until the end.
        if not plain and console.is_terminal and not console.is_dumb_terminal:
            self._live = Live(console=console, auto_refresh=False, transient=True)
        self._next_line_s = monotonic() + PLAIN_EVERY_S
        self._is_seen = True

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the progress while the block runs, and leave the last figures as a line."""
        if self._live is not None:
            self._show(self._live.start)
            self.refresh()
        try:
            yield
        finally:
            self._stop()
        self.end()

    def end(self) -> None:
        """Stop, and leave the last figures as a line."""
        self._stop()
        self._show(self._print_end)

    def refresh(self) -> None:
        """Show the current counters, with news printed above them."""
        self._show(self._refresh)

    def _stop(self) -> None:
        if self._live is not None:
            self._show(self._live.stop)

    def _show(self, show: Callable[[], object]) -> None:
        if self._is_seen:
            try:
                show()
            except OSError:
                # The terminal is gone, or the pipe is closed.
                self._is_seen = False

    def _print_end(self) -> None:
        self._print_news()
        self._print(headline(self._counters, is_over=True))

    def _refresh(self) -> None:
        self._print_news()
        if self._live is not None:
            size = self._console.size
            self._live.update(live_view(self._counters, size.width, size.height), refresh=True)
        elif monotonic() >= self._next_line_s:
            self._next_line_s = monotonic() + PLAIN_EVERY_S
            self._print(headline(self._counters))
            for note in _notes(self._counters.lines, 1_000):
                self._print(note)

    def _print_news(self) -> None:
        for line in self._counters.news():
            self._print(Text(line, style="yellow"))

    def _print(self, line: Text) -> None:
        has_width = not isinstance(self._console, Terminal) or self._console.has_width
        self._console.print(line, soft_wrap=not has_width)


def headline(counters: RunCounters, *, is_over: bool = False) -> Text:
    """Return the run in one line: episodes, pace, money and times; `is_over` if nothing plays."""
    counted = counters.simulators
    parts = [
        f"{counters.done:,}/{counters.planned:,} episodes",
        *([f"{counters.failed:,} error{'s' * (counters.failed > 1)}"] if counters.failed else []),
        *([f"{counters.unpaid:,} unpaid"] if counters.unpaid else []),
        *([f"{counters.settled:,} settled"] if counters.settled else []),
        *(
            [f"{counted.steps:,} steps", f"{counted.steps_per_s:.1f} steps/s"]
            if counted.steps or counters.replied_at is not None or counters.failed or is_over
            else ["waiting for the first reply"]
        ),
        f"{counters.calls:,} calls",
        _money(counters),
        f"{timedelta(seconds=round(counters.elapsed_s))} so far",
    ]
    silent_s = time() - (counters.replied_at or inf)
    if silent_s >= _SILENT_S:
        parts.append(f"last reply {silent_s:.0f} s ago")
    left = counters.left_s
    due = f"{counters.replies_due:,} {'reply' if counters.replies_due == 1 else 'replies'} due"
    if counters.paused:
        parts.append(f"paused: {due}")
    if counters.stopping and not is_over:
        parts.append(f"stopping: {due}")
    elif left is not None and counters.unplayed and not counters.paused and not is_over:
        latest = _clock(time() + left.high)
        parts.insert(1, f"{time_left(left)} left, done by {latest} at the latest")
    return Text(" · ".join(parts))


def live_view(counters: RunCounters, width: int, height: int) -> RenderableType:
    """Return the display for a terminal of this size, in cells and lines."""
    lines = counters.lines
    totals = _totals(lines)
    # A bar does not end its line by itself.
    bar = Padding(ProgressBar(total=1.0, completed=counters.share_done, width=width), 0)
    head = _between_parts(headline(counters).plain, width)
    notes = _notes(lines, width, max(_FEWEST_NOTES, min(_MOST_NOTES, height // 6)))
    below = [*notes, *([Text(totals, style="dim")] if totals else [])]
    # The last line is for the cursor, and a note on further models takes another one.
    room = height - _height([bar, head, *below], width) - 2
    table, more = progress_table(lines, counters.traits, width, max(1 + FEWEST_ROWS, room))
    rest = [Text(f"… and {more:,} more models: mirror-ray status", style="dim")] if more else []
    return Group(bar, head, table, *rest, *below)


def _height(parts: Sequence[RenderableType], width: int) -> int:
    console = Console(file=StringIO(), width=width)
    return sum(len(console.render_lines(part, pad=False)) for part in parts)


def _between_parts(line: str, width: int) -> Text:
    lines = [""]
    for part in line.split(" · "):
        if lines[-1] and cell_len(f"{lines[-1]} · {part} ·") > width:
            lines[-1] += " ·"
            lines.append(part)
        else:
            lines[-1] += f" · {part}" if lines[-1] else part
    return Text("\n".join(lines))


def _notes(lines: Sequence[ModelLine], width: int, most: int = _MOST_NOTES) -> list[Text]:
    held = [one for one in lines if one.unreachable is not None]
    held += [one for one in lines if one.unreachable is None and one.paused_s]
    shown = held if len(held) <= most else held[: most - 1]
    # Names are shortened against all names of the table; a table of more models has groups.
    named = lines if len(lines) <= MOST_MODEL_ROWS else shown
    names = fitted_names([one.model for one in named], max(_NAME_CELLS, width // 3))
    notes = [Text(f"{names[one.model]}: {_held_up(one)}", style="yellow") for one in shown]
    if more := len(held) - len(shown):
        notes.append(Text(f"… and {more:,} more models held up", style="yellow"))
    return notes


def _held_up(line: ModelLine) -> str:
    down = line.unreachable
    if down is None:
        return f"paused {line.paused_s:.0f} s, {line.waiting:,} waiting"
    soon = f"next try in {down.next_try_s:.0f} s" if down.next_try_s else "being tried again"
    since = _clock(time() - down.since_s)
    return f"unreachable since {since} ({down.error_kind}), {soon}, {line.waiting:,} waiting"


def _totals(lines: Sequence[ModelLine]) -> str:
    said = []
    for what, kinds in (
        ("tried again", sum_of_counts(one.retried for one in lines)),
        ("errors", sum_of_counts(one.errors for one in lines)),
    ):
        if kinds:
            listed = ", ".join(f"{kind} ×{times:,}" for kind, times in sorted(kinds.items()))
            said.append(f"{what}: {listed}")
    return " · ".join(said)


def _money(counters: RunCounters) -> str:
    ceiling_usd = counters.costs.ceiling_usd
    of = "" if ceiling_usd is None else f" of {usd_words(ceiling_usd)}"
    unpriced = counters.unpriced
    spent, in_all_usd = counters.spent_usd, counters.projected_usd
    tells = in_all_usd is not None and in_all_usd > spent
    in_all = f", {in_all_words(in_all_usd, unpriced)}" if tells else ""
    return f"{spent_words(spent, unpriced)}{of}{in_all}"


def _clock(unix_s: float) -> str:
    then, now = datetime.fromtimestamp(unix_s), datetime.now()
    return f"{then:%H:%M}" if then.date() == now.date() else f"{then:%a %d %b %H:%M}"
