"""Pages as HTML: templates that escape everything, and the policy under which a browser reads them.

Knows the style and the scripts, and their hashes; does not know what the pages say. The style and
the script of a page stand in it, so that a saved page is whole.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mirror_ray.engine.film.evidence import MARKS
from mirror_ray.engine.film.style import Rgb, paint
from mirror_ray.viewer.words import seconds, shown, usd
from sim_assets.colors import COLORS

Script = Literal["episode.js", "list.js"]


def policy(script: Script) -> str:
    """The Content-Security-Policy of a page that is served."""
    return f"{_allowed(script)}; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'"


def render(template: str, script: Script, is_file: bool, **values: Any) -> str:
    """A template with its values; with its policy in itself where it will be a file."""
    return (
        _environment()
        .get_template(template)
        .render(
            # Ours, and hashed as they are: escaping would change them.
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
    return environment


@cache
def _allowed(script: Script) -> str:
    style, code = _hash(_style()), _hash(_asset(script))
    return f"default-src 'none'; base-uri 'none'; style-src '{style}'; script-src '{code}'"


@cache
def _style() -> str:
    """The style sheet, and a class for every colour: a page may have no styles elsewhere."""
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
