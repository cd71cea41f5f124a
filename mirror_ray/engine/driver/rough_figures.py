"""Large figures in few digits, for a person."""


def about(value: float) -> str:
    """An estimated figure, in two digits where it is large: 30 M, 1.2 k, 480."""
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        scaled = value / unit
        # Just below 1000 k is 1.0 M, not 1000 k.
        if scaled >= 0.9995:
            return f"{scaled:.0f}{name}" if scaled >= 9.95 else f"{scaled:.1f}{name}"
    return f"{value:.0f}"
