"""The viewer as a local web server: what address shows what, and to whom.

Listens on 127.0.0.1 alone, reads only, and answers only requests whose Host is this machine: a page
from elsewhere cannot reach it under a name of its own (DNS rebinding). No path of a file is ever
made from an address. Does not know how pages and pictures are made.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import ceil
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.sax.saxutils import escape

from mirror_ray.errors import MirrorRayError, RenderError, SweepError
from mirror_ray.records.sealed import StoredRow
from mirror_ray.viewer.filters import Filters
from mirror_ray.viewer.html import policy
from mirror_ray.viewer.index import PAGE_ROWS
from mirror_ray.viewer.links import Links
from mirror_ray.viewer.list_page import ListPage, list_html
from mirror_ray.viewer.run import Run
from mirror_ray.world.encode import encode

HOST = "127.0.0.1"
_HOST_NAMES = frozenset({"127.0.0.1", "localhost"})
_WAIT_FOR_FAILURES_S = 0.3

_EPISODE = re.compile(r"/episode/([0-9a-f]{16})")
_PICTURE = re.compile(r"/episode/([0-9a-f]{16})/ask-([0-9]{1,6})/([a-z]+(?:-[0-9]{1,3})?)\.png")

_HTML, _PNG, _SVG, _TEXT = (
    "text/html; charset=utf-8",
    "image/png",
    "image/svg+xml",
    "text/plain; charset=utf-8",
)
_FAULT = b"a fault of the viewer's own: the terminal shows where\n"
_UNDRAWN = """\
<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
<rect width="640" height="480" fill="#f2f0ea"/>
<text x="24" y="40" font-family="sans-serif" font-size="15" fill="#bc3e14">{}</text>
</svg>"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address shows."""

    status: HTTPStatus
    kind: str
    body: bytes
    policy: str = "default-src 'none'"


def answer(run: Run, path: str, query: Mapping[str, str]) -> Answer:
    """What a GET of this path shows; an error is told as text."""
    try:
        if path == "/":
            return _list(run, query)
        if found := _EPISODE.fullmatch(path):
            return _episode(run, found[1], query)
        if found := _PICTURE.fullmatch(path):
            return _picture(run, found[1], int(found[2]), found[3])
    except RenderError as error:
        text = escape(str(error).splitlines()[0])
        body = _UNDRAWN.format(text).encode()
        return Answer(HTTPStatus.SERVICE_UNAVAILABLE, _SVG, body)
    except MirrorRayError as error:
        return Answer(HTTPStatus.INTERNAL_SERVER_ERROR, _TEXT, str(error).encode())
    return _missing(path)


class Viewer(ThreadingHTTPServer):
    """Serves a run until it is closed.

    Args:
        port: 0 takes a free one.

    Raises:
        SweepError: the port is taken or not allowed.
    """

    daemon_threads = True

    def __init__(self, run: Run, port: int) -> None:
        self.run = run
        try:
            super().__init__((HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            raise SweepError(
                "command line: --port",
                f"{port}: {error}",
                "a free port of this machine",
                "--port 0 takes any free one",
            ) from error

    @property
    def address(self) -> str:
        """Where to look."""
        return f"http://{HOST}:{self.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    server: Viewer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "mirror-ray", ""

    def do_GET(self) -> None:
        """Answers; a HEAD without the body."""
        try:
            self._send(self._answer())
        except ConnectionError:
            # The browser has gone on.
            self.close_connection = True
        except Exception:
            self._send(Answer(HTTPStatus.INTERNAL_SERVER_ERROR, _TEXT, _FAULT))
            raise

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: Any) -> None:
        """Nothing: what was looked at is nobody's business."""

    def _answer(self) -> Answer:
        host = self.headers.get("Host", "")
        try:
            asked_for, parts = urlsplit(f"//{host}").hostname, urlsplit(self.path)
        except ValueError as error:
            return Answer(HTTPStatus.BAD_REQUEST, _TEXT, f"no address: {error}\n".encode())
        if asked_for not in _HOST_NAMES:
            text = f"asked for as {host!r}; allowed: {', '.join(sorted(_HOST_NAMES))}"
            return Answer(HTTPStatus.MISDIRECTED_REQUEST, _TEXT, text.encode())
        return answer(self.server.run, parts.path, dict(parse_qsl(parts.query)))

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        headers = {
            "Content-Type": answer.kind,
            "Content-Length": str(len(answer.body)),
            "Content-Security-Policy": answer.policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)


def _list(run: Run, query: Mapping[str, str]) -> Answer:
    index = run.look_again()
    note = index.failures_note(_WAIT_FOR_FAILURES_S)
    filters = Filters.of(query)
    number = _page_number(query.get("page", "1"))
    listing = index.page(filters, number)
    pages = max(1, ceil(listing.total / PAGE_ROWS))
    page = ListPage(
        run=run.name,
        where=run.where,
        total=listing.total,
        rows=listing.rows,
        href=lambda episode_id: _address(f"/episode/{episode_id}", filters),
        facets=index.facets(filters),
        note=note,
        chosen=filters.chosen(),
        number=number,
        pages=pages,
        before=_address("/", filters, page=number - 1) if number > 1 else None,
        after=_address("/", filters, page=number + 1) if number < pages else None,
    )
    return _html(list_html(page, is_file=False), policy("list.js"))


def _episode(run: Run, episode_id: str, query: Mapping[str, str]) -> Answer:
    listed = _listed(run, episode_id)
    if listed is None:
        return _missing(f"/episode/{episode_id}")
    filters = Filters.of(query)
    before, after = run.index.neighbours(filters, listed["place"])
    links = Links(
        up=_address("/", filters),
        before=before and _address(f"/episode/{before}", filters),
        after=after and _address(f"/episode/{after}", filters),
    )
    text = run.screening.page(
        listed,
        run.index.scores(listed["family"], episode_id),
        links,
        lambda ask, name: f"/episode/{episode_id}/ask-{ask}/{name}.png",
        is_file=False,
    )
    return _html(text, policy("episode.js"))


def _picture(run: Run, episode_id: str, ask: int, name: str) -> Answer:
    listed = _listed(run, episode_id)
    try:
        rgb = None if listed is None else run.screening.picture(listed, ask, name)
    except KeyError:
        rgb = None
    if rgb is None:
        return _missing(f"/episode/{episode_id}/ask-{ask}/{name}.png")
    return Answer(HTTPStatus.OK, _PNG, encode(rgb, "png").data)


def _listed(run: Run, episode_id: str) -> StoredRow | None:
    return next(iter(run.index.find(episode_id)), None)


def _html(text: str, allowed: str) -> Answer:
    # A lone surrogate, which JSON can spell, has no bytes of its own.
    return Answer(HTTPStatus.OK, _HTML, text.encode(errors="replace"), allowed)


def _missing(path: str) -> Answer:
    return Answer(HTTPStatus.NOT_FOUND, _TEXT, f"nothing at {path}\n".encode())


def _page_number(given: str) -> int:
    """The page that an address asks for; what is no number is the first."""
    return max(1, int(given)) if re.fullmatch("[0-9]{1,8}", given) else 1


def _address(path: str, filters: Filters, **more: int) -> str:
    query = urlencode(filters.chosen() | more)
    return f"{path}?{query}" if query else path
