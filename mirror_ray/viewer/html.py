"""Pages as HTML: templates that escape everything, and the policy under which a browser reads them.

Knows the templates, the style and the scripts, and their hashes; does not know where a page's
values come from. The style and the script of a page stand in it, so that a saved page is whole.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mirror_ray.engine.film.evidence import MARKS
from mirror_ray.engine.film.style import Rgb, paint
from mirror_ray.records.sealed import StoredRow
from mirror_ray.viewer.index import Facet
from mirror_ray.viewer.page import EpisodePage
from mirror_ray.viewer.words import seconds, shown, usd
from sim_assets.colors import COLORS

Script = Literal["episode.js", "list.js"]
Source = Callable[[int, str], str]
"""(number of the ask, name of the picture) → the address of the picture."""


@dataclass(frozen=True, slots=True)
class Links:
    """Where an episode's page leads to; None: nowhere."""

    up: str | None = None
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of the list.

    Args:
        run: what the run is called; `where`: the condition that all its episodes fulfil.
        facets: filters to offer; None: the page has none. `note`: why one is missing.
        chosen: filters that are set.
        number, pages: which page, of how many; `before`, `after`: their addresses.
        href: episode id → address.
    """

    run: str
    where: str | None
    total: int
    rows: Sequence[StoredRow]
    href: Callable[[str], str]
    facets: Sequence[Facet] | None = None
    note: str | None = None
    chosen: Mapping[str, str] | None = None
    number: int = 1
    pages: int = 1
    before: str | None = None
    after: str | None = None


def list_html(page: ListPage, *, is_file: bool) -> str:
    """The list; with its policy in itself where it will be a file."""
    rows = [{**row, "tokens": _sum(row["tokens_in"], row["tokens_out"])} for row in page.rows]
    return _render(
        "list.html",
        "list.js",
        is_file,
        run=page.run,
        where=page.where,
        total=page.total,
        rows=rows,
        has_failures=any(row["failure"] is not None for row in rows),
        href=page.href,
        facets=page.facets,
        note=page.note,
        chosen=page.chosen or {},
        number=page.number,
        pages=page.pages,
        before=page.before,
        after=page.after,
    )


def episode_html(
    page: EpisodePage, links: Links, source: Source, *, failure: str | None, is_file: bool
) -> str:
    """An episode's page; with its policy in itself where it will be a file."""
    return _render(
        "episode.html",
        "episode.js",
        is_file,
        page=page,
        up=links.up,
        before=links.before,
        after=links.after,
        src=source,
        failure=failure,
        outcome_class=page.outcome.partition(":")[0].replace(" ", "-"),
        has_evidence=any(sight.evidence for ask in page.asks for sight in ask.sights),
        marks=[name for name, _ in MARKS],
    )


def policy(script: Script) -> str:
    """The Content-Security-Policy of a page that is served."""
    return f"{_allowed(script)}; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'"


def _render(template: str, script: Script, is_file: bool, **values: Any) -> str:
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


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
