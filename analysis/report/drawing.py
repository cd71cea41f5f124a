"""Charts as SVG and PNG, drawn by Vega in this process: no browser, no network, no script.

Knows Vega-Lite and how an SVG lives in a page; does not know what is drawn.
"""

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import vl_convert

from analysis.plots.style import CONFIG
from analysis.report.section import Figure

_SVG = "http://www.w3.org/2000/svg"
_PNG_SCALE = 2.0
_GUIDES = ("axis", "legend", "title")
"""What has a label and is no mark."""


def spec_of(figure: Figure) -> dict[str, Any]:
    """The figure's whole Vega-Lite specification, its data included."""
    spec: dict[str, Any] = figure.chart.to_dict(context={"pre_transform": False})
    # A chart's own configuration is altair's default, which ours replaces.
    return {**spec, "config": CONFIG}


def png_of(figure: Figure) -> bytes:
    """A PNG at twice the nominal size, for slides and screens."""
    png: bytes = vl_convert.vegalite_to_png(spec_of(figure), scale=_PNG_SCALE)
    return png


def svg_of(figure: Figure) -> str:
    """An SVG that can stand in a page among others; the same figure gives the same text.

    What a mark's description says becomes its title, which browsers show when it is pointed at;
    ids are those of the figure, since a page has each id once.
    """
    drawn = vl_convert.vegalite_to_svg(spec_of(figure))
    ElementTree.register_namespace("", _SVG)
    # Drawn here from our own specification; its text is escaped by Vega.
    root = ElementTree.fromstring(drawn)  # noqa: S314
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
