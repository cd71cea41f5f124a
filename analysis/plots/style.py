"""One look for all figures: dark on white, colours that colour-blind readers tell apart.

Knows fonts, colours and sizes; does not know what is drawn.
"""

from typing import Any

INK = "#1f2933"
FAINT = "#8a94a0"
HAIRLINE = "#d9dee4"
UNDEFINED_FILL = "#f1f3f5"

# Okabe and Ito's palette without its yellow, which white paper swallows.
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
"""Light to dark blue: its order survives a grey print."""

FONT = "Arial, Helvetica, Liberation Sans, Arimo, sans-serif"

CONFIG: dict[str, Any] = {
    "background": "white",
    "font": FONT,
    "padding": {"left": 14, "top": 4, "right": 8, "bottom": 4},
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 12,
        "labelColor": INK,
        "labelLimit": 260,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titleColor": FAINT,
        "titlePadding": 8,
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
        "gridColor": HAIRLINE,
    },
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
        "labelLimit": 320,
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
