"""A loopback server that answers all requests below ``/<name>/`` with that name's canned reply.

It runs in the test's own process, on a thread.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass(frozen=True, slots=True)
class Canned:
    """A reply as it goes over the wire."""

    status: int
    body: str | bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def canned_server(replies: Mapping[str, Canned], asked: list[str] | None = None) -> Iterator[str]:
    """The server's address, without a slash at its end.

    Args:
        asked: gets the path of every request.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if asked is not None:
                asked.append(self.path)
            canned = replies[self.path.split("/")[1]]
            body = canned.body if isinstance(canned.body, bytes) else canned.body.encode()
            self.send_response(canned.status)
            for name, value in {
                "Content-Type": "application/json",
                **canned.headers,
                "Content-Length": str(len(body)),
            }.items():
                self.send_header(name, value)
            # The client need not read to the end.
            with suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(body)

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
