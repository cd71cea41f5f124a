"""The viewer as a web server.

It listens on 127.0.0.1 unless a host is named, only reads, and answers whom `access` admits."""

from http import HTTPStatus
from urllib.parse import parse_qsl, urlencode, urlsplit

from mirror_ray.pages.access import TOKEN_KEY
from mirror_ray.pages.handler import PageHandler, PageServer
from mirror_ray.pages.page_response import TEXT, PageResponse
from mirror_ray.viewer.responses import answer
from mirror_ray.viewer.run import Run

_BODY_HEADERS = {"content-length", "transfer-encoding"}
_MOST_FIELDS = 50
_FAULT = b"a fault of the viewer's own: the terminal shows where\n"
_NO_TOKEN = b"this viewer answers to the address that its terminal shows, with the token in it\n"


class Viewer(PageServer):
    """Serves a run until it is closed. Raise SweepError if the port is taken or not allowed, or the
    host is not one of this machine."""

    def __init__(self, run: Run, port: int, host: str | None = None) -> None:
        self.run = run
        super().__init__(_Handler, port, host)

    @property
    def address(self) -> str:
        """The address to open; it contains the token, if one is needed."""
        return self._address("/")

    @property
    def live_address(self) -> str:
        """The address of the live page, with the token if one is needed."""
        return self._address("/live")

    def _address(self, path: str) -> str:
        query = f"?{urlencode({TOKEN_KEY: self.access.token})}" if self.access.token else ""
        return f"{super().address.removesuffix('/')}{path}{query}"


class _Handler(PageHandler):
    server: Viewer

    def do_GET(self) -> None:  # noqa: N802 - as http.server calls it
        """Answer a request; a HEAD gets no body."""
        self.server.spoke(self.connection)
        try:
            self._answer().send(self)
        except (ConnectionError, TimeoutError):
            # The browser has closed the connection, or has stopped reading.
            self.close_connection = True
        except Exception:
            PageResponse(HTTPStatus.INTERNAL_SERVER_ERROR, TEXT, _FAULT).send(self)
            raise

    do_HEAD = do_GET  # noqa: N815

    def _answer(self) -> PageResponse:
        # An unread body, which no GET needs, would be parsed as the next request.
        self.close_connection |= bool(_BODY_HEADERS & {name.lower() for name in self.headers})
        access, port = self.server.access, self.server.port
        if refusal := self.misdirected():
            return refusal
        try:
            parts = urlsplit(self.path)
            query = dict(parse_qsl(parts.query, max_num_fields=_MOST_FIELDS))
        except ValueError as error:
            return PageResponse(HTTPStatus.BAD_REQUEST, TEXT, f"no address: {error}\n".encode())
        if access.is_token(query.pop(TOKEN_KEY, "")):
            to = f"?{urlencode(query)}" if query else ""
            moved = {"Location": f"{_local(parts.path)}{to}", **access.cookie(port)}
            return PageResponse(HTTPStatus.SEE_OTHER, TEXT, b"", headers=moved)
        if not access.admits("; ".join(self.headers.get_all("Cookie", [])), port):
            return PageResponse(HTTPStatus.FORBIDDEN, TEXT, _NO_TOKEN)
        return answer(self.server.run, parts.path, query)


def _local(path: str) -> str:
    """Return the path within this server; a path with two slashes would name another host."""
    plain = "".join(one for one in path if "!" <= one <= "~")
    return f"/{plain.lstrip('/')}" if "\\" not in plain else "/"
