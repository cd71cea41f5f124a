"""The pages as HTML: templates that escape everything, and their Content-Security-Policy."""

from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from mirror_ray.forms.form import MOST_FIELD_CHARS
from mirror_ray.pages.html import asset, environment_of, own_policy

_PACKAGE = "mirror_ray.people"
_KEYS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", " ": "Space"}


def render_form_page(state: str, title: str, **values: Any) -> bytes:
    """The page of a state, in UTF-8."""
    template = _environment().get_template("page.html")
    text = template.render(
        state=state,
        title=title,
        # This package's own text, hashed unchanged: escaping would change it.
        style=Markup(asset(_PACKAGE, "people.css")),  # noqa: S704
        script=Markup(asset(_PACKAGE, "people.js")),  # noqa: S704
        keys=_KEYS,
        most_chars=MOST_FIELD_CHARS,
        **values,
    )
    return text.encode(errors="replace")


@cache
def form_page_policy() -> str:
    """The Content-Security-Policy of every page."""
    own = own_policy(asset(_PACKAGE, "people.css"), asset(_PACKAGE, "people.js"))
    return f"{own}; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'"


@cache
def _environment() -> Environment:
    return environment_of(_PACKAGE)
