"""The page of an audit: one reply at a time, marked by key or button, saved at once.

It listens only on 127.0.0.1 and answers only requests whose Host is this machine. A mark needs this
server's token, so that no other page can set one. It works without scripts."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from threading import Lock
from urllib.parse import parse_qs, parse_qsl, urlsplit

from mirror_ray.audit.readings import MARKS
from mirror_ray.audit.sheet import ShownItem
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.pages.handler import PageHandler, PageServer
from mirror_ray.pages.html import InlinePage
from mirror_ray.pages.page_response import HTML, TEXT, PageResponse

_MOST_BODY_BYTES = 1_024
_PAGE = InlinePage("mirror_ray.audit", "audit")


class AuditServer(PageServer):
    """Serves a sheet until it is closed.

    Args:
        marks: id → mark, as so far; kept up to date.
        keep: adds new marks to the stored ones; returns all, those of other pages included.
        port: 0 takes a free one.

    Raises:
        SweepError: the port is taken or not allowed.
    """

    def __init__(
        self,
        items: Sequence[ShownItem],
        marks: dict[str, str],
        keep: Callable[[Mapping[str, str]], dict[str, str]],
        port: int,
    ) -> None:
        self.items, self.marks, self._keep = items, marks, keep
        self.token = secrets.token_urlsafe(16)
        self._lock = Lock()
        super().__init__(_Handler, port)

    def mark(self, number: int, mark: str) -> None:
        """Save the mark of item `number`, from 0."""
        with self._lock:
            self.marks = self._keep({self.items[number].id: mark})

    def unmarked(self, after: int = -1) -> int | None:
        """Return the next item without a mark, after `after` or from the start, or None."""
        order = [*range(after + 1, len(self.items)), *range(after + 1)]
        return next((place for place in order if self.items[place].id not in self.marks), None)

    def page(self, number: int) -> str:
        """Return the page of item `number`, from 0."""
        item = self.items[number]
        return _PAGE.render(
            item=item,
            number=number + 1,
            total=len(self.items),
            n_marked=len(self.marks),
            given=self.marks.get(item.id),
            marks=MARKS,
            token=self.token,
        )


class _Handler(PageHandler):
    server: AuditServer

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        """Answer with the page of the requested item, or of the next one without a mark."""
        self.server.spoke(self.connection)
        if not self._is_here():
            return
        parts = urlsplit(self.path)
        if parts.path != "/":
            self._send(HTTPStatus.NOT_FOUND, "nothing here\n")
            return
        number = self._number(dict(parse_qsl(parts.query)).get("at", ""))
        if number is None:
            number = self.server.unmarked() or 0
        self._send(HTTPStatus.OK, self.server.page(number), HTML)

    def do_POST(self) -> None:  # noqa: N802 - as http.server calls it
        """Save a mark, and answer with the next unmarked item."""
        self.close_connection = True
        length = self.headers.get("Content-Length", "")
        if not self._is_here():
            return
        if not re.fullmatch("[0-9]{1,4}", length) or int(length) > _MOST_BODY_BYTES:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "a mark is a few bytes\n")
            return
        body = self.rfile.read(int(length)).decode("utf-8", "replace")
        self.server.spoke(self.connection)
        form = {name: values[0] for name, values in parse_qs(body).items()}
        number, mark = self._number(form.get("at", "")), form.get("mark", "")
        if not secrets.compare_digest(form.get("token", "").encode(), self.server.token.encode()):
            self._send(HTTPStatus.FORBIDDEN, "only this page may mark: load it again\n")
            return
        if number is None or mark not in MARKS:
            self._send(HTTPStatus.BAD_REQUEST, f"a mark is one of {', '.join(MARKS)}\n")
            return
        try:
            self.server.mark(number, mark)
        except (MirrorRayError, OSError) as error:
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, f"not kept: {error}\n")
            return
        following = self.server.unmarked(number)
        at = number if following is None else following
        self._send(HTTPStatus.SEE_OTHER, "", goes_to=f"/?at={at + 1}")

    def _is_here(self) -> bool:
        refusal = self.misdirected()
        if refusal is None:
            return True
        self.close_connection = True
        refusal.send(self)
        return False

    def _number(self, given: str) -> int | None:
        if not re.fullmatch("[0-9]{1,6}", given, re.ASCII):
            return None
        return int(given) - 1 if 1 <= int(given) <= len(self.server.items) else None

    def _send(
        self, status: HTTPStatus, text: str, kind: str = TEXT, goes_to: str | None = None
    ) -> None:
        more = None if goes_to is None else {"Location": goes_to}
        PageResponse(status, kind, text.encode("utf-8", "replace"), _PAGE.policy(), more).send(self)
