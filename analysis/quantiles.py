"""Quantiles for intervals: the normal's, Student's, and one for few scenes."""

from functools import lru_cache
from math import cos, pi, sin, sqrt, tan

NORMAL_95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""

_EXACT_UP_TO = 200
"""Degrees of freedom up to which the integral is exact; beyond, two terms of the expansion in 1 /
df are exact to 1e-6."""


def expanded_z(n: int) -> float:
    """Return the normal quantile at which a percentile interval of `n` >= 2 values covers 95 %.

    The bootstrap's spread is too small by the factor (n - 1) / n, and it does not widen as
    Student's t does. Therefore percentiles are taken farther out (Hesterberg 2015, "expanded
    percentile")."""
    return sqrt(n / (n - 1)) * student_95(n - 1)


@lru_cache(maxsize=1024)
def student_95(df: int) -> float:
    """Two-sided 95 % quantile of Student's t with `df` >= 1 degrees of freedom."""
    if df > _EXACT_UP_TO:
        return NORMAL_95 + (NORMAL_95**3 + NORMAL_95) / (4 * df) + 2.8224986157396112 / df**2
    low, high = 0.0, pi / 2
    for _ in range(60):
        theta = (low + high) / 2
        low, high = (theta, high) if _within(theta, df) < 0.95 else (low, theta)
    return sqrt(df) * tan(low)


def _within(theta: float, df: int) -> float:
    """P(abs(T) < sqrt(df) tan theta) (Abramowitz & Stegun 26.7.3-4)."""
    is_odd = df % 2
    term = cos(theta) if is_odd else 1.0
    total = term if df > 1 else 0.0
    for k in range(2 + is_odd, df - 1, 2):
        term *= (k - 1) / k * cos(theta) ** 2
        total += term
    return (theta + sin(theta) * total) * 2 / pi if is_odd else sin(theta) * total
