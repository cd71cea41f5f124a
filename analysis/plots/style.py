"""One look for all figures: dark on white, colours that colour-blind readers can distinguish."""

from typing import Any

from mirror_ray.analysis.plots.text import MEASURED

INK = "#1f2933"
FAINT = "#5d6873"
"""For titles, counts and lines; its contrast on white is 5.6 : 1."""
HAIRLINE = "#d9dee4"
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
"""The colours of text on `SEQUENTIAL`, which is dark from this share of its length on. The contrast
is at least 4.6 : 1.
"""

FONTS = "Arial, Helvetica, Liberation Sans, Arimo, sans-serif"
"""The fonts that drawings name; their layout is computed with `MEASURED`, which is wider than any.
"""

APART: dict[str, Any] = {"labelOverlap": "greedy", "labelSeparation": 6}
"""For an axis of numbers: labels that would touch are left out. Labels that are words are never
left out. An axis with explicit values has to set this itself.
"""

CONFIG: dict[str, Any] = {
    "background": "white",
    "font": MEASURED,
    "lineBreak": "\n",
    "padding": {"left": 14, "top": 4, "right": 8, "bottom": 4},
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 12,
        "labelColor": INK,
        "labelLimit": 0,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titleColor": FAINT,
        "titlePadding": 8,
        "domain": False,
        "ticks": False,
        "labelPadding": 9,
        "gridColor": HAIRLINE,
    },
    "axisQuantitative": APART,
    "header": {
        "labelFontSize": 13,
        "labelFontWeight": "bold",
        "labelColor": INK,
        "titleFontSize": 12,
        "titleColor": FAINT,
    },
    "title": {"fontSize": 13, "anchor": "start", "color": INK, "fontWeight": "bold", "offset": 8},
    "legend": {
        "labelFontSize": 12,
        "labelColor": INK,
        "labelLimit": 0,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titleColor": FAINT,
        "orient": "top",
        "symbolStrokeWidth": 2,
    },
    "range": {"category": list(CATEGORIES), "heatmap": list(SEQUENTIAL), "ramp": list(SEQUENTIAL)},
    "text": {"color": INK, "fontSize": 12},
    "concat": {"spacing": 18},
    "facet": {"spacing": 18},
}
"""Vega-Lite's configuration, put under every chart when it is drawn."""
