"""The page of the list: rows, filters to choose from, and links to further pages.

One template serves both forms. A served page requests its rows from the server. A page written as a
file has all rows, and its script filters, sorts and pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.filters import FACETS, FILTER_VERDICTS, Order
from mirror_ray.viewer.html import render
from mirror_ray.viewer.index import PAGE_ROWS, Facet

_CONSTANT = ("run_dir", "variant", "temperature", "failure")
"""Columns that are left out if all rows of the page have the same value."""


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of the list.

    Args:
        run: the run's name.
        where: the condition that all its episodes fulfil.
        total: episodes under the filters.
        href: episode id → address of its page; None: it has none.
        sort_href: sort key → the address of the list sorted by it.
        facets: filters to offer.
        note: why a filter is missing, or what the list lacks.
        chosen: filters that are set.
        order: what the rows are sorted by.
        side_by_side: episode id → address of the page with its counterpart, if it has one.
        number, pages: which page, of how many.
        before, after: the addresses of the pages before and after this one.
        live: the address of the live page; None: no such page.
        is_pending: whether the page will have more in a moment, and therefore reloads itself.
        frame: row → address of the first frame that the model was shown, None if it saw none. If
            given, the list is a gallery of frames instead of a table.
        other_form: the address of the same list as a gallery, or as a table; None: no such page.
    """

    run: str
    where: str | None
    total: int
    rows: Sequence[StoredRow]
    href: Callable[[str], str | None]
    sort_href: Callable[[str], str] = "#sort={}".format
    facets: Sequence[Facet] = ()
    note: str | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)
    order: Order = field(default_factory=Order)
    side_by_side: Mapping[str, str] = field(default_factory=dict)
    number: int = 1
    pages: int = 1
    before: str | None = None
    after: str | None = None
    live: str | None = None
    is_pending: bool = False
    frame: Callable[[StoredRow], str | None] | None = None
    other_form: str | None = None


def list_html(page: ListPage, *, is_file: bool) -> str:
    """Return the list; a page written as a file contains its policy."""
    rows = [
        {
            **row,
            "tokens": _sum(row["tokens_in"], row["tokens_out"]),
            "href": page.href(row_id),
            "frame": page.frame(row) if page.frame else None,
        }
        for row in page.rows
        for row_id in (row["episode_id"],)
    ]
    facets = {facet.name: facet for facet in page.facets}
    # The path is shown only if there are several runs; a single run's path is private.
    several = len({row["run_dir"] for row in rows}) > 1
    return render(
        "list.html",
        "list.js",
        is_file,
        page=page,
        rows=rows,
        facets=[
            facets.get(name, Facet(name, ()))
            for name in FACETS
            if name != "verdict" and (name != "run_dir" or several)
        ]
        if is_file
        else [facet for facet in page.facets if facet.name != "verdict"],
        verdicts=_verdicts(facets.get("verdict"), is_file),
        has={name for name in _CONSTANT if len({row[name] for row in rows}) > 1}
        | ({"answer"} if any(row["gold"] or row["answer"] for row in rows) else set())
        | ({"tokens"} if any(row["tokens"] is not None for row in rows) else set()),
        is_static=is_file,
        page_rows=PAGE_ROWS,
    )


def _verdicts(facet: Facet | None, is_file: bool) -> list[tuple[str, int | None]]:
    if is_file:
        return [(name, None) for name in FILTER_VERDICTS]
    return [] if facet is None else list(facet.values)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
