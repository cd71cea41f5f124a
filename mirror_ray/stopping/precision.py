"""Wilson's interval of a share; a cell is played until this interval is narrow enough."""

from dataclasses import dataclass
from math import sqrt

Z_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its 95 % interval."""

    estimate: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


def wilson_interval(total: float, n: int) -> Share:
    """Return Wilson's interval (1927) of `n` units' scores, each from 0 to 1, with sum `total`;
    ValueError without a unit."""
    if n < 1:
        raise ValueError("a share of no units")
    share, weight = total / n, Z_95**2 / n
    middle = (share + weight / 2) / (1 + weight)
    half = Z_95 / (1 + weight) * sqrt(share * (1 - share) / n + weight / (4 * n))
    return Share(share, max(0.0, middle - half), min(1.0, middle + half))
