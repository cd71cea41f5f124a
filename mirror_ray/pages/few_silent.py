"""An HTTP server that limits how many connections without a complete request it keeps open.

Every connection occupies a file descriptor and a thread. When more than `MOST_SILENT` connections
have sent no complete request, the oldest one is closed.
"""

import socket
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

MOST_SILENT = 64
"""A browser opens six; the usual limit is 1,024 descriptors, the lowest common one 256."""


class FewSilentServer(ThreadingHTTPServer):
    """A threading server; its handlers call `spoke` once a request is complete."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *arguments: Any, **more: Any) -> None:
        self._silent: dict[socket.socket, None] = {}
        """Oldest first."""
        self._silent_lock = Lock()
        super().__init__(*arguments, **more)

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


class FewSilentHandler(BaseHTTPRequestHandler):
    """The base class of handlers of a `FewSilentServer`."""

    server: FewSilentServer

    def handle_one_request(self) -> None:
        """Read and answer one request."""
        super().handle_one_request()
        if not self.close_connection:
            self.server.rests(self.connection)
