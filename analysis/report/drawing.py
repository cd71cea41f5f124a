"""Charts as SVG, PNG and PDF, drawn by Vega in this process: no browser, no network, no script."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from xml.etree import ElementTree

import vl_convert

from mirror_ray.analysis.plots.style import CONFIG, FONTS
from mirror_ray.analysis.plots.text import MEASURED
from mirror_ray.analysis.report.naming import renamed_chart
from mirror_ray.analysis.report.section import Figure

_SVG = "http://www.w3.org/2000/svg"
_PNG_SCALE = 2.0
_LEAST_SCALE = 0.84
"""A page may scale a drawing down to this share, where 11 px become 9."""
_GUIDES = ("axis", "legend", "title")
"""Elements that have a label and are not marks."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as shown.

    Args:
        svg: can share a page with others, because its ids are unique. A mark's description is its
            title, which browsers show on hover.
        png: at twice the nominal size.
        pdf: for papers; its text can be selected.
    """

    svg: str
    png: bytes
    pdf: bytes


def draw_figure(figure: Figure, names: Mapping[str, str] | None = None) -> Drawing:
    """Draw a figure. SVG and PNG are reproducible; the order of objects in a PDF may differ.
    `names` maps labels to the ones that are shown instead."""
    spec = renamed_chart(figure.chart, names) if names else figure.chart
    _know_the_widest_font()
    svg = vl_convert.vegalite_to_svg({**spec, "config": CONFIG}).replace(MEASURED, FONTS)
    own = _for_a_page(svg, figure)
    png: bytes = vl_convert.svg_to_png(own, scale=_PNG_SCALE)
    return Drawing(own, png, vl_convert.svg_to_pdf(own))


@cache
def _know_the_widest_font() -> None:
    with as_file(files("mirror_ray.analysis.plots") / "fonts") as folder:
        vl_convert.register_font_directory(str(folder))


def _for_a_page(svg: str, figure: Figure) -> str:
    ElementTree.register_namespace("", _SVG)
    # Drawn from our own specification; Vega escapes its text.
    root = ElementTree.fromstring(svg)  # noqa: S314
    for parent in list(root.iter()):
        # Vega keeps tick labels that have no room, but hides them.
        for node in [one for one in parent if one.get("opacity") == "0"]:
            parent.remove(node)
    # Vega counts ids from the start of the process.
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
    root.set("aria-label", f"{figure.title}. {figure.text}")
    root.set("style", f"min-width: {_LEAST_SCALE * float(root.get('width', 0)):.0f}px")
    return ElementTree.tostring(root, encoding="unicode")


def _renamed(attribute: str, value: str, own: Mapping[str | None, str]) -> str:
    if attribute == "id":
        return own[value]
    return re.sub(r"url\(#([^()]+)\)", lambda match: f"url(#{own.get(match[1], match[1])})", value)
