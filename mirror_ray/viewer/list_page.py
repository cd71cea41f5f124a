"""The page of the list: rows, filters to choose from, and the way to further pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mirror_ray.records.sealed import StoredRow
from mirror_ray.viewer.html import render
from mirror_ray.viewer.index import Facet


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
    return render(
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


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
