"""One look for all figures: dark on white, colours that colour-blind readers can distinguish."""

from typing import Any

from mirror_ray.analysis.plots.text import MEASURED
from mirror_ray.core.shipped_files import shipped_yaml

_SAID = shipped_yaml(__package__, "style.yaml")
INK: str = _SAID["axis"]["labelColor"]
FAINT: str = _SAID["axis"]["titleColor"]
"""For titles, counts and lines; its contrast on white is 5.6 : 1."""
HAIRLINE: str = _SAID["axis"]["gridColor"]
UNDEFINED_FILL = "#f1f3f5"

# Okabe and Ito's palette without its yellow, which is faint on white paper.
CATEGORIES = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#4d4d4d",
    "#999933",
)
GOOD, NEUTRAL, BAD, WORSE = "#0072B2", "#c9ced4", "#E69F00", "#D55E00"

SEQUENTIAL = ("#f4f8fb", "#c6dcec", "#7fb2d6", "#2f7fb8", "#0b3c6b")
"""Light to dark blue, whose order is still visible in greyscale."""

ON_LIGHT, ON_DARK, DARK_FROM = "#000000", "white", 0.765
"""The colours of text on `SEQUENTIAL`, which counts as dark from this share of its length. The
contrast is at least 4.6 : 1."""

FONTS = "Arial, Helvetica, Liberation Sans, Arimo, sans-serif"
"""The fonts that drawings name. Layouts are computed with `MEASURED`, the widest."""

APART: dict[str, Any] = {"labelOverlap": "greedy", "labelSeparation": 6}
"""For an axis of numbers: labels that would touch are left out. Labels that are words are never
left out. An axis with explicit values has to set this itself.
"""

CONFIG: dict[str, Any] = {
    **_SAID,
    "font": MEASURED,
    "axisQuantitative": APART,
    "range": {"category": list(CATEGORIES), "heatmap": list(SEQUENTIAL), "ramp": list(SEQUENTIAL)},
}
"""Vega-Lite's configuration, put under every chart when it is drawn."""
