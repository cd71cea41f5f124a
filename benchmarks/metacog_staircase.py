"""Measures the staircase on planted ability curves, and draws docs/metacog_staircase.png.

    python benchmarks/metacog_staircase.py [--staircases 4] [--out docs/metacog_staircase.png]

Of each planted curve: the mean recovered curve with the range of 90 % of the staircases, and the
share of right answers that the levels found have by the planted curve. Several staircases of a
domain are pooled, as a later stage pools them.
"""

import argparse
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.report.drawing import draw
from mirror_ray.analysis.report.section import Figure
from mirror_ray.tasks.metacog_levels.kind import LEVELS
from mirror_ray.tasks.metacog_levels.staircase import TRIALS, curve_of, levels_for, next_level

_PLANTED = ((2.5, 0.9, 0.0), (4.0, 0.5, 0.0), (5.5, 0.9, 0.2), (6.0, 2.0, 0.0), (7.0, 0.7, 0.1),
            (8.5, 1.2, 0.0), (5.0, 0.5, 0.25), (9.0, 0.9, 0.0))  # fmt: skip
"""The level at which half is known, the slope per level in log odds, the share of lucky guesses."""
_TIMES = 60


def main() -> None:
    """Prints a line for each planted curve, and writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/metacog_staircase.png"))
    parser.add_argument("--staircases", type=int, default=1, help="of each domain, pooled")
    given = parser.parse_args()
    out: Path = given.out
    levels = np.arange(1, LEVELS + 1)
    rows = []
    rng = np.random.default_rng(0)
    print("half at  slope  floor   mean share   sd")
    everything = []
    for middle, slope, floor in _PLANTED:
        true = floor + (1 - floor) / (1 + np.exp(slope * (levels - middle)))
        found, shares = [], []
        for _ in range(_TIMES):
            pooled: list[tuple[int, bool]] = []
            for _ in range(given.staircases):
                answers: list[tuple[int, bool]] = []
                for _ in range(TRIALS):
                    level = next_level(answers)
                    answers.append((level, bool(rng.random() < true[level - 1])))
                pooled += answers
            found.append(curve_of(pooled))
            at = levels_for(found[-1])
            above = true[min(at.low, LEVELS - 1)]
            shares.append(true[at.low - 1] * (1 - at.share_above) + above * at.share_above)
        everything.append(shares)
        print(
            f"{middle:7.1f} {slope:6.1f} {floor:6.2f} {np.mean(shares):12.3f} {np.std(shares):5.3f}"
        )
        panel = f"half at level {middle:g}, slope {slope:g}, floor {floor:g}"
        low, high = np.quantile(found, (0.05, 0.95), axis=0)
        mean = np.mean(found, axis=0)
        for i, level in enumerate(levels):
            common = {"panel": panel, "value": int(level), "description": ""}
            rows.append(
                common | {"model": "planted", "estimate": true[i], "low": None, "high": None}
            )
            rows.append(
                common
                | {"model": f"recovered from {TRIALS * given.staircases}", "estimate": mean[i]}
                | {"low": low[i], "high": high[i]}
            )
    each = np.concatenate(everything)
    print(f"domains: mean {each.mean():.3f}, sd {each.std():.3f}, "
          f"within .05 of .60: {np.mean(abs(each - 0.60) <= 0.05):.2f}")  # fmt: skip
    models = np.mean(everything, axis=0)
    print(f"models of these 8 domains: mean {models.mean():.3f}, sd {models.std():.3f}, "
          f"within .05 of .60: {np.mean(abs(models - 0.60) <= 0.05):.2f}")  # fmt: skip
    chart = curves(
        rows, title="level", values=[int(level) for level in levels], spacing="ordinal", across=4
    )
    png = draw(Figure("staircase", "", "", "", chart)).png
    sheet = Image.open(BytesIO(png)).convert("RGB")
    sheet.quantize(64, dither=Image.Dither.NONE).save(out, optimize=True)


if __name__ == "__main__":
    main()
