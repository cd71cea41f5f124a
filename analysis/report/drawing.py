"""Charts as SVG and PNG, drawn by Vega in this process: no browser, no network, no script.

Knows Vega-Lite and how an SVG lives in a page; does not know what is drawn.
"""

import re
from typing import Any
from xml.etree import ElementTree

import vl_convert

from analysis.plots.style import CONFIG
from analysis.report.section import Figure

_SVG = "http://www.w3.org/2000/svg"
_PNG_SCALE = 2.0


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
    """An SVG that can stand in a page among others.

    What a mark's description says becomes its title, which browsers show when it is pointed at;
    ids get the figure's name in front, since a page has each id once.
    """
    drawn = vl_convert.vegalite_to_svg(spec_of(figure))
    ElementTree.register_namespace("", _SVG)
    # Drawn here from our own specification; its text is escaped by Vega.
    root = ElementTree.fromstring(drawn)  # noqa: S314
    for node in root.iter():
        _prefix_ids(node, figure.name)
        label = node.get("aria-label")
        if label is not None and node.get("aria-roledescription", "").endswith(" mark"):
            title = ElementTree.Element(f"{{{_SVG}}}title")
            title.text = label
            node.insert(0, title)
    root.set("role", "img")
    root.set("aria-label", figure.title)
    return ElementTree.tostring(root, encoding="unicode")


def _prefix_ids(node: ElementTree.Element, prefix: str) -> None:
    for name, value in node.attrib.items():
        if name == "id":
            node.set(name, f"{prefix}-{value}")
        elif "url(#" in value:
            node.set(name, re.sub(r"url\(#", f"url(#{prefix}-", value))
