"""Psychometric functions of selfid's doses: thresholds with credible intervals, by psignifit.

Success is a logistic function of a dose, from the guess rate to one minus the lapse rate; all four
parameters are free (Schütt et al. 2016, doi:10.1016/j.visres.2016.02.002). The threshold is the
dose at which the curve is halfway between the two. Trials have different scenes and are
independent, so the fit assumes no overdispersion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from math import log10
from typing import Any, Literal

import numpy as np

from mirror_ray.analysis.reading import Row

EXTRA = "psychometric"
LEAST_LEVELS = 4
"""The fewest levels to which a curve of four parameters is fitted."""

_NO_OVERDISPERSION = 1e-5
_KEY = ("condition", "model", "temperature", "setting", "axis")


@dataclass(frozen=True, slots=True)
class Dose:
    """An axis that changes a property of the mirror by degrees.

    Args:
        title: its name and unit.
        spacing: of its levels; with "log" the curve is fitted over their logarithm.
        helps: whether a larger dose is easier.
        most: the largest possible dose; None: no such bound. The smallest is 0.
    """

    title: str
    spacing: Literal["linear", "log"]
    helps: bool
    most: float | None = None


DOSES: Mapping[str, Dose] = {
    "mirror_side_m": Dose("mirror's edge, metres", "log", helps=True),
    "mirror_reflectance": Dose("share of light returned", "linear", helps=True, most=1.0),
    "mirror_blur_deg": Dose("blur, degrees", "linear", helps=False),
    "mirror_cover": Dose("share covered", "linear", helps=False, most=1.0),
    "mirror_tilt_deg": Dose("tilt, degrees", "linear", helps=False),
    "mirror_distance_m": Dose("distance, metres", "log", helps=False),
}


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted curve, or the reason why it could not be fitted.

    Args:
        threshold, low, high: the dose and its 95 % credible interval; None if no level crosses it.
        guess, lapse: the success that remains at the hard end; what is missing at the easy one.
        width: from 5 to 95 % of the rise, in units of the dose, or of its decimal logarithm.
        note: why the threshold is missing; "" if it is not.
        curve: (dose, success) along the fitted curve.
    """

    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    guess: float | None = None
    lapse: float | None = None
    width: float | None = None
    note: str = ""
    curve: tuple[tuple[float, float], ...] = ()


def is_installed() -> bool:
    """Return whether psignifit, of the extra `psychometric`, is installed."""
    return find_spec("psignifit") is not None


def by_curve(rows: Sequence[Row]) -> dict[tuple[Any, ...], list[Row]]:
    """Return `metric.selfid_doses` by condition, model, temperature, setting and axis."""
    curves: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        curves.setdefault(tuple(row[name] for name in _KEY), []).append(row)
    return curves


def fitted(axis: str, rows: Sequence[Row]) -> Fit:
    """Fit the curve of one model over one axis. Rows have `level`, `n_right`, `n`; one per
    level."""
    dose = DOSES[axis]
    if len(rows) < LEAST_LEVELS:
        return Fit(note=f"fewer than {LEAST_LEVELS} levels")
    scale = log10 if dose.spacing == "log" else float
    data = np.array([[scale(row["level"]), row["n_right"], row["n"]] for row in rows], float)
    data = data[data[:, 0].argsort()]
    # Imported late: it loads matplotlib, and the grid of its posterior takes a second.
    result = import_module("psignifit").psignifit(
        data,
        experiment_type="yes/no",
        sigmoid="logistic" if dose.helps else "neg_logistic",
        fixed_parameters={"eta": _NO_OVERDISPERSION},
        verbose=False,
    )
    at: Mapping[str, float] = result.parameter_estimate
    low, high = result.confidence_intervals["threshold"]["0.95"]
    first, last = float(data[0, 0]), float(data[-1, 0])
    along = np.linspace(first, last, 61)
    back = (lambda value: float(10**value)) if dose.spacing == "log" else float
    curve = tuple(
        (back(x), float(y)) for x, y in zip(along, result.proportion_correct(along), strict=True)
    )
    fit = Fit(
        guess=float(at["gamma"]), lapse=float(at["lambda"]), width=float(at["width"]), curve=curve
    )
    if not first <= at["threshold"] <= last:
        easy = (at["threshold"] < first) == dose.helps
        return replace(fit, note="succeeds throughout" if easy else "fails throughout")
    low_dose, high_dose = max(back(low), 0.0), back(high)
    if dose.most is not None:
        high_dose = min(high_dose, dose.most)
    return replace(fit, threshold=back(at["threshold"]), low=low_dose, high=high_dose)
