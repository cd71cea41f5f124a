"""Servers on which silent connections cannot keep others out.

Each connection takes a descriptor, and here a thread. Of those that have sent no whole request the
oldest is closed when there are more than `MOST_SILENT`.
"""

import socket
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

MOST_SILENT = 64
"""A browser opens six; a shell's usual limit is 1,024 descriptors, the lowest seen 256."""


class FewSilentServer(ThreadingHTTPServer):
    """Its handlers call `spoke` with their connection once a request has arrived whole."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self._silent: dict[socket.socket, None] = {}
        """Oldest first."""
        self._silent_lock = Lock()
        super().__init__(*arguments, **more)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Make room for a new connection, then serve it on a thread of its own."""
        with self._silent_lock:
            self._silent[request] = None
            oldest = next(iter(self._silent)) if len(self._silent) > MOST_SILENT else None
            if oldest is not None:
                del self._silent[oldest]
        if oldest is not None:
            # Its thread reads the end of the stream, and closes it.
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def spoke(self, connection: socket.socket) -> None:
        """A whole request has arrived."""
        with self._silent_lock:
            self._silent.pop(connection, None)

    def rests(self, connection: socket.socket) -> None:
        """A request has been answered, and the connection stays open."""
        with self._silent_lock:
            self._silent[connection] = None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what a handler raised, unless it is that the other side is gone."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        self.spoke(request)
        super().shutdown_request(request)


class FewSilentHandler(BaseHTTPRequestHandler):
    """A handler of such a server's."""

    server: FewSilentServer

    def handle_one_request(self) -> None:
        """Read and answer one request."""
        super().handle_one_request()
        if not self.close_connection:
            self.server.rests(self.connection)
