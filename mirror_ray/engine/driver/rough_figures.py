"""Large figures in few digits, for a person."""

from mirror_ray.sweep.ranges import Range


def about(value: float) -> str:
    """An estimated figure, in two digits where it is large: 30 M, 1.2 k, 480."""
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        scaled = value / unit
        # Just below 1000 k is 1.0 M, not 1000 k.
        if scaled >= 0.9995:
            return f"{scaled:.0f}{name}" if scaled >= 9.95 else f"{scaled:.1f}{name}"
    return f"{value:.0f}"


def time_left(left: Range) -> str:
    """A range of seconds in one unit: 40–90 s, 4–9 min, 2.5–6 h."""
    unit_s, name = next(
        (one for one in ((86_400, "d"), (3_600, "h"), (60, "min")) if left.high >= 2 * one[0]),
        (1, "s"),
    )
    each = [one / unit_s for one in (left.low, left.high)]
    low, high = (f"{one:.1f}".removesuffix(".0") if one < 10 else f"{one:.0f}" for one in each)
    return f"{low} {name}" if low == high else f"{low}–{high} {name}"
