"""The pages as HTML: templates that escape everything, and their Content-Security-Policy."""

from functools import cache
from typing import Any

from mirror_ray.forms.form import MOST_FIELD_CHARS
from mirror_ray.pages.html import InlinePage

_PAGE = InlinePage("mirror_ray.people", "people")
_KEYS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", " ": "Space"}


def render_form_page(state: str, title: str, **values: Any) -> bytes:
    """Return the page of a state, in UTF-8."""
    text = _PAGE.render(state=state, title=title, keys=_KEYS, most_chars=MOST_FIELD_CHARS, **values)
    return text.encode(errors="replace")


@cache
def form_page_policy() -> str:
    """Return the Content-Security-Policy of every page."""
    return _PAGE.policy("img-src 'self' data:")
