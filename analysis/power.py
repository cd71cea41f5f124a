"""How many scenes a comparison needs: the power of the paired tests, before any call is paid for.

It covers the tests of `contrast.pairs`: McNemar's exact test for shares and, for counts, a test of
the mean difference. It depends on the design alone and reads no run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lgamma, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_ALPHA = 0.05
POWER = 0.8
SCENES = (6, 12, 21, 50, 100, 200)
BASELINES = (0.1, 0.3, 0.5)

_Floats = NDArray[np.float64]

_STEP = 0.005


@dataclass(frozen=True, slots=True)
class DetectableDifference:
    """The differences that a number of scenes can detect.

    Args:
        n_scenes: independent units on which both cells were played; repetitions do not count.
        n_tests: contrasts that answer one question, corrected by Bonferroni as an approximation of
            Holm.
        baseline: the first cell's share.
        difference: the least difference of shares found with probability POWER, if the two cells
            succeed independently within a scene; None if none is found.
        effect: the same for counts, as a multiple of the differences' standard deviation (dz).
    """

    n_scenes: int
    n_tests: int
    baseline: float
    difference: float | None
    effect: float | None


def power_table(
    scenes: Sequence[int] = SCENES, baselines: Sequence[float] = BASELINES, *, n_tests: int = 1
) -> Iterator[DetectableDifference]:
    """Return the detectable differences, for each number of scenes and each baseline."""
    alpha = _ALPHA / n_tests
    for n in scenes:
        for baseline in baselines:
            yield DetectableDifference(
                n_scenes=n,
                n_tests=n_tests,
                baseline=baseline,
                difference=detectable_difference(n, baseline, alpha=alpha),
                effect=detectable_effect(n, alpha=alpha),
            )


def detectable_difference(n: int, baseline: float, *, alpha: float = _ALPHA) -> float | None:
    """Return the smallest difference from `baseline`, in the farther direction, found with power
    POWER.

    Round it up to half a percentage point. Independence within scenes is assumed; scenes that are
    easy or hard for both cells make it smaller."""
    test, sign = McNemarTest(n, alpha), 1 if baseline <= 0.5 else -1
    for difference in np.arange(_STEP, 1 - min(baseline, 1 - baseline) + _STEP / 2, _STEP):
        value = min(max(baseline + sign * float(difference), 0.0), 1.0)
        if test.power(baseline * (1 - value), (1 - baseline) * value) >= POWER:
            return round(float(difference), 3)
    return None


def detectable_effect(n: int, *, alpha: float = _ALPHA) -> float | None:
    """Return the least dz (mean over sd of paired differences) found with probability POWER.

    Guenther's correction of the normal approximation to the paired t test (1981)."""
    normal = NormalDist()
    z_alpha = normal.inv_cdf(1 - alpha / 2)
    free = n - z_alpha**2 / 2
    return (z_alpha + normal.inv_cdf(POWER)) / sqrt(free) if free > 0 else None


class McNemarTest:
    """McNemar's exact test of n scenes: which counts of discordant scenes are significant."""

    def __init__(self, n: int, alpha: float) -> None:
        counts = np.arange(n + 1)
        log_factorial = np.array([lgamma(count + 1) for count in counts])
        baseline, value = np.meshgrid(counts, counts, indexing="ij")
        possible = baseline + value <= n
        self._baseline, self._value = baseline[possible], value[possible]
        self._rest = n - self._baseline - self._value
        self._ways = log_factorial[n] - (
            log_factorial[self._baseline] + log_factorial[self._value] + log_factorial[self._rest]
        )
        fewer = np.minimum(self._baseline, self._value)
        discordant = self._baseline + self._value
        tails = _halves_tails(n, log_factorial)
        self._significant = np.minimum(1.0, 2 * tails[discordant, fewer]) <= alpha

    def power(self, only_baseline: float, only_value: float) -> float:
        """Return the probability of a significant result, given the probability of each kind of
        discordant scene."""
        chosen = self._significant
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = self._ways[chosen] + sum(
                np.where(count == 0, 0.0, count * np.log(share))
                for count, share in (
                    (self._baseline[chosen], np.float64(only_baseline)),
                    (self._value[chosen], np.float64(only_value)),
                    (self._rest[chosen], np.float64(1 - only_baseline - only_value)),
                )
            )
        return float(np.exp(logs).sum())


def _halves_tails(n: int, log_factorial: _Floats) -> _Floats:
    m, k = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = k <= m
    logs = (
        log_factorial[m] - log_factorial[k] - log_factorial[np.where(inside, m - k, 0)]
    ) - m * np.log(2)
    return np.cumsum(np.where(inside, np.exp(logs), 0.0), axis=1)
