"""Measure the staircase on simulated ability curves, and draw docs/metacog_staircase.png.

    python benchmarks/metacog_staircase.py [--models 150] [--staircases 1]

Simulates three kinds of models: one with eight independent domains, and random ones whose domains
are 1 and 1.5 levels (standard deviation) around the model's level, with random slopes and guess
rates. For each kind, prints how far accuracy at the chosen levels is from .60 in one domain.
Several staircases of a domain are pooled, as a later stage does.
"""

import argparse
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.report.drawing import draw_figure
from mirror_ray.analysis.report.section import Figure
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.levels.staircase import (
    TARGET,
    TRIALS,
    curves_of,
    levels_for,
    next_level,
)

_UNRELATED = ((2.5, 0.9, 0.0), (4.0, 0.5, 0.0), (5.5, 0.9, 0.2), (6.0, 2.0, 0.0), (7.0, 0.7, 0.1),
              (8.5, 1.2, 0.0), (5.0, 0.5, 0.25), (9.0, 0.9, 0.0))  # fmt: skip
"""Level at which half is known, slope per level in log odds, share of lucky guesses."""
_LEVEL = np.arange(1, LEVELS + 1)

_Curves = NDArray[np.float64]


def main() -> None:
    """Print a line for each kind of model and design, and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/metacog_staircase.png"))
    parser.add_argument("--models", type=int, default=150, help="models of each kind")
    parser.add_argument(
        "--staircases", type=int, default=1, help="staircases of each domain, pooled"
    )
    given = parser.parse_args()
    print("domains of a model       bias    sd  mean error  within .05  model's mean sd")
    for kind in ("unrelated", "1.5 levels apart", "1 level apart"):
        rng = np.random.default_rng(3)
        planted = [_model(kind, rng) for _ in range(given.models)]
        rng = np.random.default_rng(5)
        found = [_played(true, given.staircases, rng) for true in planted]
        off = np.array([list(_missed(*each)) for each in zip(found, planted, strict=True)])
        print(
            f"{kind:24s} {np.nanmean(off):+.3f}  {np.nanstd(off):.3f}   "
            f"{np.nanmean(abs(off)):.4f}        {_share_within(off):.2f}"
            f"        {np.nanstd(np.nanmean(off, axis=1)):.3f}",
            flush=True,
        )
        if kind == "unrelated":
            _draw(np.array(found), planted[0], TRIALS * given.staircases, given.out)


def _model(kind: str, rng: np.random.Generator) -> _Curves:
    """Return curves by domain."""
    if kind == "unrelated":
        middle, slope, floor = np.array(_UNRELATED).T
    else:
        own = rng.uniform(4, 7)
        middle = rng.normal(own, float(kind.split(maxsplit=1)[0]), 8).clip(1.5, 9.5)
        slope = np.exp(rng.normal(np.log(0.9), 0.3) + rng.normal(0, 0.15, 8))
        floor = rng.choice([0, 0, 0.05, 0.1, 0.2], 8)
    floor, slope, middle = floor[:, None], slope[:, None], middle[:, None]
    return np.asarray(floor + (1 - floor) / (1 + np.exp(slope * (_LEVEL - middle))))


def _played(true: _Curves, times: int, rng: np.random.Generator) -> _Curves:
    """Return the curves recovered from staircases of every domain."""
    answers: list[list[tuple[int, bool]]] = []
    for curve in true:
        pooled: list[tuple[int, bool]] = []
        for _ in range(times):
            one: list[tuple[int, bool]] = []
            for _ in range(TRIALS):
                level = next_level(one)
                one.append((level, bool(rng.random() < curve[level - 1])))
            pooled += one
        answers.append(pooled)
    return np.array(curves_of(answers))


def _missed(found: _Curves, true: _Curves) -> Iterator[float]:
    """Return the error of accuracy at the chosen levels, by domain.

    NaN where none of the ten levels has the target.
    """
    for recovered, planted in zip(found, true, strict=True):
        at = levels_for(recovered)
        above = planted[min(at.low, LEVELS - 1)]
        share = planted[at.low - 1] * (1 - at.share_above) + above * at.share_above
        yield share - TARGET if planted[0] >= TARGET >= planted[-1] else np.nan


def _share_within(off: _Curves) -> float:
    known = off[~np.isnan(off)]
    return float(np.mean(abs(known) <= 0.05))


def _draw(found: _Curves, planted: _Curves, answers: int, out: Path) -> None:
    """Draw the mean recovered curve of each domain, with the range of 90 % of the staircases."""
    rows = []
    low, high = np.quantile(found, (0.05, 0.95), axis=0)
    mean = found.mean(axis=0)
    for domain, (middle, slope, floor) in enumerate(_UNRELATED):
        panel = f"half at level {middle:g}, slope {slope:g}, floor {floor:g}"
        for i, level in enumerate(_LEVEL):
            common = {"panel": panel, "value": int(level), "description": ""}
            exact = {"estimate": planted[domain, i], "low": None, "high": None}
            rows.append(common | {"model": "planted"} | exact)
            rows.append(
                common
                | {"model": f"recovered from {answers}", "estimate": mean[domain, i]}
                | {"low": low[domain, i], "high": high[domain, i]}
            )
    chart = curves(
        rows, title="level", values=[int(level) for level in _LEVEL], spacing="ordinal", across=4
    )
    png = draw_figure(Figure("staircase", "", "", "", chart)).png
    sheet = Image.open(BytesIO(png)).convert("RGB")
    sheet.quantize(64, dither=Image.Dither.NONE).save(out, optimize=True)


if __name__ == "__main__":
    main()
