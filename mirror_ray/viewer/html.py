"""Pages as HTML: templates that escape everything, and the Content-Security-Policy of each page.

Style and script are inline, so that a saved page is complete; the policy names their hashes."""

import re
from functools import cache
from typing import Any, Literal

from jinja2 import Environment
from markupsafe import Markup, escape

from mirror_ray.core.identity import variant_words
from mirror_ray.pages.html import asset, environment_of, own_policy
from mirror_ray.replay.film.evidence import EVIDENCE_MARKS
from mirror_ray.replay.film.style import FilmRgb, paint
from mirror_ray.viewer.words import column_heading, outcome, seconds, usd, value_text
from sim_assets.colors import COLORS

_PACKAGE = "mirror_ray.viewer"
_PART_END = re.compile(r"(?<=[/:_])")

_Script = Literal["episode.js", "list.js", "live.js", "pair.js"]


def policy(script: _Script) -> str:
    """Return the Content-Security-Policy of a page that is served."""
    own = "img-src 'self' data:; form-action 'self'; frame-ancestors 'none'"
    asks = "; connect-src 'self'" if script == "live.js" else ""
    return f"{_allowed(script)}; {own}{asks}"


def render(template: str, script: _Script, is_file: bool, **values: Any) -> str:
    """Fill a template with its values; a page written as a file contains its policy."""
    return (
        _environment()
        .get_template(template)
        .render(
            # The viewer's own text, hashed unchanged because escaping would change it.
            style=Markup(_style()),  # noqa: S704
            script=Markup(asset(_PACKAGE, script)),  # noqa: S704
            policy=f"{_allowed(script)}; img-src data:; form-action 'none'" if is_file else None,
            **values,
        )
    )


@cache
def _environment() -> Environment:
    environment = environment_of(_PACKAGE)
    environment.filters.update(shown=value_text, usd=usd, seconds=seconds)
    environment.filters.update(outcome=outcome, heading=column_heading, setting=variant_words)
    environment.filters["breakable"] = _breakable
    return environment


def _breakable(name: object) -> Markup:
    return Markup("<wbr>").join(escape(part) for part in _PART_END.split(str(name)))


@cache
def _allowed(script: _Script) -> str:
    return own_policy(_style(), asset(_PACKAGE, script))


@cache
def _style() -> str:
    colors = {f".c-{name}": paint(name) for name in COLORS}
    marks = {f".mark-{number}": color for number, (_, color) in enumerate(EVIDENCE_MARKS, start=1)}
    rules = [f"{name} {{ background: {_css(color)}; }}" for name, color in (colors | marks).items()]
    return "\n".join([asset(_PACKAGE, "viewer.css"), *rules])


def _css(color: FilmRgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
