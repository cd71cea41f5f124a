"""The usual columns of a table: words, shares with intervals, counts, money."""

import re
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import (
    NONE_READ,
    NOT_HERE,
    UNDEFINED_CELL,
    Column,
    TableCell,
)
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.identity import variant_words

_ISO = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?\+00:00")


def share_text(value: float | None) -> str:
    """Format a share as ``.00`` to ``1.00``; a negative one has its sign in front."""
    if value is None:
        return UNDEFINED_CELL
    text = f"{value:.2f}".replace("0.", ".", 1)
    return ".00" if text == "-.00" else text.replace("-", "−")


def number_text(value: float | None) -> str:
    """Format a number with three digits below a thousand and all above, with thousands
    separators."""
    if value is None:
        return UNDEFINED_CELL
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def fixed_text(values: Sequence[float | None]) -> Callable[[float | None], str]:
    """Return a format that gives all of a column's numbers equally many decimals."""
    known = [abs(value) for value in values if value is not None and isfinite(value)]
    largest = max(known, default=0.0)
    if all(float(value).is_integer() for value in known) or largest >= 1000:
        digits = 0
    else:
        digits = 1 if largest >= 10 else 2 if largest >= 0.1 else 4

    def text(value: float | None) -> str:
        return UNDEFINED_CELL if value is None else f"{value:,.{digits}f}".replace("-", "−")

    return text


def three_digits_text(value: float | None) -> str:
    """Format a ratio or a time by its order of magnitude: ``0.0250``, ``1.00``, ``12,300``,
    ``0``."""
    if not value:
        return UNDEFINED_CELL if value is None else "0"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 99.95 else f"{value:#.3g}".rstrip(".")


def usd_text(value: float | None) -> str:
    """Format dollars with cents, or with four digits below a cent."""
    if value is None:
        return UNDEFINED_CELL
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.4f}"


def p_text(p: float | None) -> str:
    """Format p as ``.031``, ``<.001``, or a dash."""
    if p is None:
        return UNDEFINED_CELL
    return "<.001" if p < 0.0005 else f"{p:.3f}".removeprefix("0")


def chance_text(probability: float | None) -> str:
    """Format a probability as ``.993``, ``>.999``, or a dash."""
    if probability is None:
        return UNDEFINED_CELL
    return ">.999" if probability > 0.9995 else f"{probability:.3f}".removeprefix("0")


def interval_text(low: float | None, high: float | None, show: Callable[[Any], str]) -> str:
    """Format an interval as ``.30–.90``, or ``−.10 to .25``; empty if an end is unknown."""
    if low is None or high is None:
        return ""
    return f"{show(low)}{' to ' if low < 0 else '–'}{show(high)}"


def estimate_text(row: Row) -> str:
    """Return a row's estimate with its interval and n: ``.50 (.30–.70), n = 12``."""
    interval = interval_text(row["ci_low"], row["ci_high"], share_text)
    return f"{share_text(row['estimate'])} ({interval}), n = {row['n']}"


def metric_text(family: str, metric: str) -> str:
    """Return a metric's heading: ``TSA-C``, ``accuracy self``."""
    return METRICS[family].heading(metric)


def setting_text(row: Row) -> str:
    """Return a row's temperature and variant, for people."""
    at = "" if row["temperature"] is None else f"temperature {row['temperature']:g}, "
    return f"{at}{variant_words(row['variant'])}"


def row_setting_text(row: Row) -> str:
    """Return a row's temperature and setting, which is already in words."""
    at = "" if row["temperature"] is None else f"temperature {row['temperature']:g}, "
    return f"{at}{row['setting']}"


def condition_text(row: Row) -> str:
    """Return a row's condition and setting, for people."""
    return f"{row['condition']} · {setting_text(row)}"


def held_text(said: str, temperature: float | None) -> str:
    """Return the setting that a comparison or a curve keeps fixed, with its temperature named."""
    if temperature is not None:
        before, found, after = said.rpartition(f" · {temperature:g}")
        if found and (not after or after.startswith(" · ")):
            said = f"{before} · temperature {temperature:g}{after}"
    return variant_words(said)


def moment_text(said: str) -> str:
    """Format a recorded time to the second; anything else is returned as it is."""
    found = _ISO.fullmatch(said)
    return f"{found[1]} {found[2]} UTC" if found else said


def _text(value: object) -> str:
    return UNDEFINED_CELL if value is None else str(value)


def kind_of_column(
    text: Callable[[Any], str], *, is_number: bool = True, is_estimate: bool = False
) -> Callable[[str, str], Column]:
    """Return a function that makes a column of formatted values, given the row's key and the
    heading."""
    return lambda key, heading: Column(
        heading, lambda row: TableCell(text(row[key])), is_number=is_number, is_estimate=is_estimate
    )


words = kind_of_column(_text, is_number=False)
"""Makes a column of text as it is."""
moment = kind_of_column(lambda said: moment_text(_text(said)), is_number=False)
"""Makes a column of recorded times (UTC, ISO 8601)."""
share_column = kind_of_column(share_text, is_estimate=True)
"""Makes a column of shares without intervals."""
usd_column = kind_of_column(usd_text)
"""Makes a column of dollars."""


def number_column(key: str, heading: str) -> Column:
    """Return a column of numbers without intervals."""

    def over(rows: Sequence[Row]) -> Callable[[Row], TableCell]:
        text = fixed_text([row[key] for row in rows])
        return lambda row: TableCell(text(row[key]))

    return Column(heading, lambda row: TableCell(number_text(row[key])), over=over)


def p_value(key: str = "p", heading: str = "p") -> Column:
    """Return a column of p values."""
    return Column(heading, lambda row: TableCell(p_text(row[key])))


def episode(run: Reading, key: str = "episode_id", heading: str = "episode") -> Column:
    """Return a column of episode ids that link to their pages, if there are any."""

    def show(row: Row) -> TableCell:
        return TableCell(row[key], href=run.page_of(row[key]))

    return Column(heading, show, is_number=False)


def share_of(key: str, heading: str, *, of: str) -> Column:
    """Return a column of shares with both counts below: ``.25`` and ``3 of 12``."""

    def show(row: Row) -> TableCell:
        part, whole = row[key], row[of]
        if part is None or not whole:
            return TableCell(UNDEFINED_CELL)
        return TableCell(share_text(part / whole), f"{part:,} of {whole:,}")

    return Column(heading, show)


def estimate_column(
    heading: str,
    *,
    key: str = "estimate",
    low: str = "ci_low",
    high: str = "ci_high",
    n: str = "n",
    se: str | None = None,
    show: Callable[[Any], str] = share_text,
    is_here: Callable[[Row], bool] = lambda row: True,
    is_any_read: Callable[[Row], bool] = lambda row: True,
    mark: Callable[[Row], tuple[bool, str]] = lambda row: (False, ""),
) -> Column:
    """Return the column of an estimate with its interval below, and ± its standard error if `se`.

    Args:
        key, low, high, n, se: the row's keys; a key that the row lacks counts as undefined.
        show: `share_text`, `number_text` or the like.
        is_here: whether the row's condition has the metric at all.
        is_any_read: whether the estimate rests on any reply that was read; if not, the cell says
            so.
        mark: whether it is the best of those compared, and its letters.
    """

    def shown_by(text: Callable[[Any], str]) -> Callable[[Row], TableCell]:
        def cell(row: Row) -> TableCell:
            if not is_here(row):
                return TableCell(NOT_HERE)
            if not is_any_read(row):
                return TableCell(NONE_READ, n=row.get(n))
            if row.get(key) is None:
                return TableCell(UNDEFINED_CELL)
            is_best, letters = mark(row)
            ends = interval_text(row.get(low), row.get(high), text)
            spread = None if se is None else row.get(se)
            said = text(row[key]) if spread is None else f"{text(row[key])} ± {text(spread)}"
            return TableCell(said, ends, n=row.get(n), is_best=is_best, letters=letters)

        return cell

    def over(rows: Sequence[Row]) -> Callable[[Row], TableCell]:
        if show is not number_text:
            return shown_by(show)
        return shown_by(fixed_text([row.get(end) for row in rows for end in (key, low, high)]))

    return Column(heading, shown_by(show), is_estimate=True, over=over)
