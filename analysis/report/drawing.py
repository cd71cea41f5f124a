"""Charts as SVG and PNG, drawn by Vega in this process: no browser, no network, no script.

Knows Vega-Lite and how an SVG lives in a page; does not know what is drawn.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree import ElementTree

import vl_convert

from analysis.plots.style import CONFIG
from analysis.report.section import Figure

_SVG = "http://www.w3.org/2000/svg"
_PNG_SCALE = 2.0
_GUIDES = ("axis", "legend", "title")
"""What has a label and is no mark."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as it is shown.

    Args:
        svg: can stand in a page among others: ids are those of the figure, and what a mark's
            description says is its title, which browsers show when it is pointed at.
        png: at twice the nominal size, for slides and screens.
    """

    svg: str
    png: bytes


def draw(figure: Figure) -> Drawing:
    """The same figure gives the same drawing."""
    # Altair's validation takes longer than the drawing; Vega refuses what it cannot draw.
    spec = figure.chart.to_dict(validate=False)
    svg = vl_convert.vegalite_to_svg({**spec, "config": CONFIG})
    png: bytes = vl_convert.svg_to_png(svg, scale=_PNG_SCALE)
    return Drawing(_for_a_page(svg, figure), png)


def _for_a_page(svg: str, figure: Figure) -> str:
    ElementTree.register_namespace("", _SVG)
    # Drawn here from our own specification; its text is escaped by Vega.
    root = ElementTree.fromstring(svg)  # noqa: S314
    # Vega counts ids through the life of the process.
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    own = {old: f"{figure.name}-{position}" for position, old in enumerate(ids)}
    for node in root.iter():
        for attribute, value in node.attrib.items():
            node.set(attribute, _renamed(attribute, value, own))
        label = node.get("aria-label")
        if (
            label is not None
            and node.get("role") == "graphics-symbol"
            and node.get("aria-roledescription") not in _GUIDES
        ):
            title = ElementTree.Element(f"{{{_SVG}}}title")
            title.text = label
            node.insert(0, title)
    root.set("role", "img")
    root.set("aria-label", figure.title)
    return ElementTree.tostring(root, encoding="unicode")


def _renamed(attribute: str, value: str, own: Mapping[str | None, str]) -> str:
    if attribute == "id":
        return own[value]
    return re.sub(r"url\(#([^)]+)\)", lambda match: f"url(#{own[match[1]]})", value)
