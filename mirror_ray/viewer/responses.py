"""The viewer's pages by address. No file path is ever made from an address."""

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from math import ceil
from typing import TypeAlias
from urllib.parse import urlencode
from xml.sax.saxutils import escape

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import MirrorRayError, RenderError, SweepError
from mirror_ray.pages.page_response import HTML, TEXT, PageResponse
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.filters import Filters, Order
from mirror_ray.viewer.html import policy
from mirror_ray.viewer.index import PAGE_ROWS, PENDING
from mirror_ray.viewer.links import Links, scene_links
from mirror_ray.viewer.list_page import ListPage, list_html
from mirror_ray.viewer.live_page import live_html
from mirror_ray.viewer.run import Run
from mirror_ray.world.opengl.encode import encode

_WAIT_FOR_CLASSES_S = 0.3
GALLERY = "gallery"
"""The value of ``show`` in an address that lists episodes by their first frames."""


_Parts: TypeAlias = tuple[str, ...]
_Page: TypeAlias = Callable[[Run, _Parts, Mapping[str, str]], PageResponse | None]
"""Returns the response from the run, parts of the address and query; None if there is no such
page."""

_PNG, _SVG = "image/png", "image/svg+xml"
_UNDRAWN = """\
<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
<rect width="640" height="480" fill="#f2f0ea"/>
<text x="24" y="40" font-family="sans-serif" font-size="15" fill="#bc3e14">{}</text>
</svg>"""


def answer(run: Run, path: str, query: Mapping[str, str]) -> PageResponse:
    """Return the response to a GET of this path; an error becomes a text."""
    try:
        for pattern, page in _PAGES:
            if found := pattern.fullmatch(path):
                return page(run, found.groups(), query) or _missing(path)
        return _missing(path)
    except RenderError as error:
        text = escape(str(error).splitlines()[0])
        body = _UNDRAWN.format(text).encode()
        return PageResponse(HTTPStatus.SERVICE_UNAVAILABLE, _SVG, body)
    except SweepError as error:
        return PageResponse(HTTPStatus.BAD_REQUEST, TEXT, str(error).encode(errors="replace"))
    except MirrorRayError as error:
        return PageResponse(HTTPStatus.INTERNAL_SERVER_ERROR, TEXT, str(error).encode())


def _list(run: Run, _: _Parts, query: Mapping[str, str]) -> PageResponse:
    index = run.look_again()
    note = index.classes_note(_WAIT_FOR_CLASSES_S)
    filters, order = Filters.of(query), Order.of(query)
    if filters.differ and order.by is None:
        order = Order("scene")
    number = _page_number(query.get("page", "1"))
    is_gallery = query.get("show") == GALLERY
    form = {"show": GALLERY} if is_gallery else {}
    listing = index.page(filters, number, order)
    pages = max(1, ceil(listing.total / PAGE_ROWS))
    page = ListPage(
        run=run.name,
        where=run.where,
        total=listing.total,
        rows=listing.rows,
        href=lambda episode_id: _address(f"/episode/{episode_id}", filters, order),
        sort_href=lambda by: _address("/", filters, order.turned(by), **form),
        facets=index.facets(filters),
        note=note,
        chosen=filters.chosen(),
        order=order,
        side_by_side={
            this: _beside(*pair) for this, pair in index.counterparts(filters, listing.rows).items()
        },
        number=number,
        pages=pages,
        before=_address("/", filters, order, page=number - 1, **form) if number > 1 else None,
        after=_address("/", filters, order, page=number + 1, **form) if number < pages else None,
        live="/live",
        is_pending=note == PENDING,
        frame=_first_frame if is_gallery else None,
        other_form=_address("/", filters, order, **({} if is_gallery else {"show": GALLERY})),
    )
    return _html(list_html(page, is_file=False), policy("list.js"))


def _episode(run: Run, parts: _Parts, query: Mapping[str, str]) -> PageResponse | None:
    (episode_id,) = parts
    listed = _listed(run, episode_id)
    if listed is None:
        return None
    filters, order = Filters.of(query), Order.of(query)
    before, after = run.index.neighbours(filters, episode_id, order)
    models, conditions, n_others = scene_links(
        listed, run.index.same_scene(listed), href="/episode/{}".format, side_by_side=_beside
    )
    links = Links(
        up=_address("/", filters, order),
        before=before and _address(f"/episode/{before}", filters, order),
        after=after and _address(f"/episode/{after}", filters, order),
        models=models,
        conditions=conditions,
        n_others=n_others,
        scene=_address("/", Filters(scene=listed["scene"])) if listed["scene"] else None,
    )
    text = run.episode_view.page(
        listed,
        run.index.scores(listed["family"], episode_id),
        links,
        lambda ask, name: f"/episode/{episode_id}/ask-{ask}/{name}.png",
        is_file=False,
    )
    return _html(text, policy("episode.js"))


def _pair(run: Run, parts: _Parts, _: Mapping[str, str]) -> PageResponse | None:
    one, other = parts
    left, right = _listed(run, one), _listed(run, other)
    if left is None or right is None:
        return None
    text = run.episode_view.pair(
        (left, right),
        (f"/episode/{one}", f"/episode/{other}"),
        lambda episode_id, ask, name: f"/episode/{episode_id}/ask-{ask}/{name}.png",
        up=_address("/", Filters(scene=left["scene"])) if left["scene"] else "/",
        is_file=False,
    )
    return _html(text, policy("pair.js"))


def _live(run: Run, _: _Parts, query: Mapping[str, str]) -> PageResponse:
    directory = query.get("run_dir") or run.directories[0]
    if directory not in run.directories:
        allowed = ", ".join(run.directories)
        fix = "choose from the page's runs"
        raise SweepError("address: run_dir", repr(directory[:200]), allowed, fix)
    text = live_html(run.name, run.live(directory).state(), query, run.directories, directory)
    return _html(text, policy("live.js"))


def _picture(run: Run, parts: _Parts, _: Mapping[str, str]) -> PageResponse | None:
    episode_id, ask, name = parts
    listed = _listed(run, episode_id)
    try:
        rgb = None if listed is None else run.episode_view.picture(listed, int(ask), name)
    except KeyError:
        rgb = None
    if rgb is None:
        return None
    return PageResponse(HTTPStatus.OK, _PNG, encode(rgb, "png").data)


def _listed(run: Run, episode_id: str) -> StoredRow | None:
    found = run.index.find(episode_id) or run.look_again().find(episode_id)
    return next(iter(found), None)


def _html(text: str, allowed: str) -> PageResponse:
    # A lone surrogate, which JSON can spell, cannot be encoded in UTF-8.
    return PageResponse(HTTPStatus.OK, HTML, text.encode(errors="replace"), allowed)


def _missing(path: str) -> PageResponse:
    return PageResponse(HTTPStatus.NOT_FOUND, TEXT, f"nothing at {path}\n".encode())


def _page_number(given: str) -> int:
    return max(1, int(given)) if re.fullmatch("[0-9]{1,8}", given) else 1


def _beside(one: str, other: str) -> str:
    return f"/pair/{one}/{other}"


def _first_frame(row: StoredRow) -> str | None:
    family = FAMILIES.get(row["family"])
    if family is None or not family.draws:
        return None
    return f"/episode/{row['episode_id']}/ask-1/view-1.png"


def _address(path: str, filters: Filters, order: Order | None = None, **more: int | str) -> str:
    sort = {"sort": order.text} if order is not None and order.text else {}
    query = urlencode(filters.chosen() | sort | more)
    return f"{path}?{query}" if query else path


_PAGES: tuple[tuple[re.Pattern[str], _Page], ...] = tuple(
    (re.compile(path), page)
    for path, page in (
        ("/", _list),
        ("/live", _live),
        ("/episode/([0-9a-f]{16})", _episode),
        ("/pair/([0-9a-f]{16})/([0-9a-f]{16})", _pair),
        (r"/episode/([0-9a-f]{16})/ask-([0-9]{1,6})/([a-z]+(?:-[0-9]{1,3})?)\.png", _picture),
    )
)
