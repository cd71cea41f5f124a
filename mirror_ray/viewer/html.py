"""Pages as HTML: templates that escape everything, and the Content-Security-Policy of each page.

The style and the script of a page are inline, so that a saved page is whole; the policy allows them
by their hashes.
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from mirror_ray.core.identity import variant_words
from mirror_ray.replay.film.evidence import MARKS
from mirror_ray.replay.film.style import Rgb, paint
from mirror_ray.viewer.words import heading, outcome, seconds, shown, usd
from sim_assets.colors import COLORS

_PART_END = re.compile(r"(?<=[/:_])")

Script = Literal["episode.js", "list.js", "live.js", "pair.js"]


def policy(script: Script) -> str:
    """The Content-Security-Policy of a page that is served."""
    own = "img-src 'self' data:; form-action 'self'; frame-ancestors 'none'"
    asks = "; connect-src 'self'" if script == "live.js" else ""
    return f"{_allowed(script)}; {own}{asks}"


def render(template: str, script: Script, is_file: bool, **values: Any) -> str:
    """A template with its values; a page written as a file contains its policy."""
    return (
        _environment()
        .get_template(template)
        .render(
            # The viewer's own text, hashed unchanged: escaping would change it.
            style=Markup(_style()),  # noqa: S704
            script=Markup(_asset(script)),  # noqa: S704
            policy=f"{_allowed(script)}; img-src data:; form-action 'none'" if is_file else None,
            **values,
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("mirror_ray.viewer"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, usd=usd, seconds=seconds)
    environment.filters.update(outcome=outcome, heading=heading, setting=variant_words)
    environment.filters["breakable"] = _breakable
    return environment


def _breakable(name: object) -> Markup:
    """A name that is broken between its parts, where it has to be."""
    return Markup("<wbr>").join(escape(part) for part in _PART_END.split(str(name)))


@cache
def _allowed(script: Script) -> str:
    style, code = _hash(_style()), _hash(_asset(script))
    return f"default-src 'none'; base-uri 'none'; style-src '{style}'; script-src '{code}'"


@cache
def _style() -> str:
    """The style sheet, and a class for every colour: a page may have no inline styles."""
    colors = {f".c-{name}": paint(name) for name in COLORS}
    marks = {f".mark-{number}": color for number, (_, color) in enumerate(MARKS, start=1)}
    rules = [f"{name} {{ background: {_css(color)}; }}" for name, color in (colors | marks).items()]
    return "\n".join([_asset("viewer.css"), *rules])


def _asset(name: str) -> str:
    return (files("mirror_ray.viewer") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _css(color: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
