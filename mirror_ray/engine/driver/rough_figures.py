"""Formats large figures with few digits."""

from mirror_ray.sweep.ranges import Range

_FAR_APART = 10


def about(value: float) -> str:
    """Format an estimate, with two digits if it is large: 30 M, 1.2 k, 480."""
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        scaled = value / unit
        # A value just below 1000 k is 1.0 M, not 1000 k.
        if scaled >= 0.9995:
            return f"{scaled:.0f}{name}" if scaled >= 9.95 else f"{scaled:.1f}{name}"
    return f"{value:.0f}"


def time_left(left: Range) -> str:
    """Return a range of seconds, in one unit if the ends are near: 40–90 s, 20 s–2 h, ≤ 50 s."""
    if left.low < 1:
        return f"≤ {_timed(left.high, of_s=left.high)}"
    low = _timed(left.low, of_s=left.high if left.low * _FAR_APART > left.high else left.low)
    high = _timed(left.high, of_s=left.high)
    number, _, unit = low.partition(" ")
    if low == high:
        return high
    return f"{number}–{high}" if high.endswith(f" {unit}") else f"{low}–{high}"


def _timed(time_s: float, of_s: float) -> str:
    units = (86_400, "d"), (3_600, "h"), (60, "min")
    unit_s, name = next((one for one in units if of_s >= 2 * one[0]), (1, "s"))
    value = time_s / unit_s
    number = f"{value:.1f}".removesuffix(".0") if value < 9.95 else f"{value:.0f}"
    return f"{number} {name}"
