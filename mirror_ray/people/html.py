"""The pages as HTML: templates that escape everything, and their Content-Security-Policy."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mirror_ray.forms.form import MOST_CHARS

_KEYS = {
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    " ": "Space",
}


def render(state: str, title: str, **values: Any) -> bytes:
    """The page of a state, in UTF-8."""
    template = _environment().get_template("page.html")
    text = template.render(
        state=state,
        title=title,
        # This package's own text, hashed unchanged: escaping would change it.
        style=Markup(_asset("people.css")),  # noqa: S704
        script=Markup(_asset("people.js")),  # noqa: S704
        keys=_KEYS,
        most_chars=MOST_CHARS,
        **values,
    )
    return text.encode(errors="replace")


@cache
def policy() -> str:
    """The Content-Security-Policy of every page."""
    style, script = _hash(_asset("people.css")), _hash(_asset("people.js"))
    return (
        f"default-src 'none'; base-uri 'none'; style-src '{style}'; script-src '{script}';"
        " img-src 'self' data:; form-action 'self'; frame-ancestors 'none'"
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("mirror_ray.people"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _asset(name: str) -> str:
    return (files("mirror_ray.people") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
