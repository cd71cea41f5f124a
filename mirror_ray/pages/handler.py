"""The threaded server, and what its handlers do for every request."""

from http import HTTPStatus
from socket import AF_INET6
from typing import Any

from mirror_ray.core.errors import SweepError
from mirror_ray.pages.access import LOOPBACK, Access
from mirror_ray.pages.few_silent import FewSilentHandler, FewSilentServer
from mirror_ray.pages.page_response import TEXT, PageResponse

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


class PageServer(FewSilentServer):
    """Serves pages until it is closed.

    Args:
        handler: answers the requests.
        port: 0 takes a free one.
        host: of an interface of this machine; requests to it need a token. None: this machine
            alone asks, on its loopback interface.

    Raises:
        SweepError: the port is taken or not allowed, or the host is not one of this machine.
    """

    def __init__(self, handler: "type[PageHandler]", port: int, host: str | None = None) -> None:
        self.access = Access.of(host)
        at = self.access.listens_at
        if ":" in at:
            self.address_family = AF_INET6
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


class PageHandler(FewSilentHandler):
    """The base class of handlers of a `PageServer`."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "mirror-ray", ""
    timeout = SILENCE_S

    def log_message(self, *_: Any) -> None:
        """Log nothing: what a person views is private, and an address may contain the token."""

    def misdirected(self) -> PageResponse | None:
        """Return the refusal of a request whose Host is not this machine; None if it is."""
        access, hosts = self.server.access, self.headers.get_all("Host", [""])
        if len(hosts) == 1 and access.knows_host(hosts[0]):
            return None
        text = f"asked for as {', '.join(hosts)!r}; allowed: {', '.join(access.names)}"
        return PageResponse(HTTPStatus.MISDIRECTED_REQUEST, TEXT, text.encode())
