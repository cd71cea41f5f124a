"""The threaded server, which limits silent connections, and the common parts of its handlers."""

import socket
import sys
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from mirror_ray.core.errors import SweepError
from mirror_ray.pages.access import LOOPBACK, Access
from mirror_ray.pages.page_response import TEXT, PageResponse

MOST_SILENT = 64
"""The most open connections without a complete request, each with a file descriptor and a thread. A
browser opens six; the usual limit is 1,024 descriptors, the lowest common one 256."""
SILENCE_S = 30.0
"""How long a connection may be silent before it is closed."""


def not_listening(host: str | None, port: int, error: Exception) -> SweepError:
    """Return the error for a port that cannot be listened on."""
    return SweepError(
        "command line: --port" if host is None else "command line: --host",
        f"{port}: {error}" if host is None else f"{host}:{port}: {error}",
        "a free port of this machine, and one of its names or addresses",
        "--port 0 takes any free one; without --host it listens on 127.0.0.1",
    )


class PageServer(ThreadingHTTPServer):
    """Serves pages until it is closed; its handlers call `spoke` once a request is complete.

    When more than `MOST_SILENT` connections have sent no complete request, the oldest is closed.

    Args:
        handler: answers the requests.
        port: 0 takes a free one.
        host: of an interface of this machine; requests to it need a token. None: only this machine
            can connect, by its loopback interface.

    Raises:
        SweepError: the port is taken or not allowed, or the host is not one of this machine.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: "type[PageHandler]", port: int, host: str | None = None) -> None:
        self._silent: dict[socket.socket, None] = {}
        """Oldest first."""
        self._silent_lock = Lock()
        self.access = Access.of(host)
        at = self.access.listens_at
        if ":" in at:
            self.address_family = socket.AF_INET6
        try:
            super().__init__((at, port), handler)
        except (OSError, OverflowError, UnicodeError) as error:
            raise not_listening(self.access.host, port, error) from error

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.server_address[1])

    @property
    def address(self) -> str:
        """The address to open, without a token."""
        return f"http://{self.access.host or LOOPBACK}:{self.port}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Close the oldest silent connection if necessary, then serve the new one in a thread."""
        with self._silent_lock:
            self._silent[request] = None
            oldest = next(iter(self._silent)) if len(self._silent) > MOST_SILENT else None
            if oldest is not None:
                del self._silent[oldest]
        if oldest is not None:
            # Its thread then reads end of file and closes it.
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def spoke(self, connection: socket.socket) -> None:
        """Record that a connection has sent a complete request."""
        with self._silent_lock:
            self._silent.pop(connection, None)

    def rests(self, connection: socket.socket) -> None:
        """Record that a connection stays open after its request was answered."""
        with self._silent_lock:
            self._silent[connection] = None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an exception of a handler, unless the client has disconnected."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        self.spoke(request)
        super().shutdown_request(request)


class PageHandler(BaseHTTPRequestHandler):
    """The base class of handlers of a `PageServer`."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "mirror-ray", ""
    timeout = SILENCE_S

    def handle_one_request(self) -> None:
        """Read and answer one request."""
        super().handle_one_request()
        if not self.close_connection:
            self.server.rests(self.connection)

    def log_message(self, *_: Any) -> None:
        """Log nothing: what a person views is private, and an address may contain the token."""

    def misdirected(self) -> PageResponse | None:
        """Return the refusal of a request whose Host is not this machine; None if it is."""
        access, hosts = self.server.access, self.headers.get_all("Host", [""])
        if len(hosts) == 1 and access.knows_host(hosts[0]):
            return None
        text = f"asked for as {', '.join(hosts)!r}; allowed: {', '.join(access.names)}"
        return PageResponse(HTTPStatus.MISDIRECTED_REQUEST, TEXT, text.encode())
