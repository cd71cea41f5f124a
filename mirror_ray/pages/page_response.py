"""The response to an address, and headers that protect it from other sites."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from types import MappingProxyType

HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

FOR_THIS_SITE_ALONE: Mapping[str, str] = MappingProxyType(
    {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }
)
"""Headers: no other site can embed or read a page, no browser caches it or guesses its type."""


@dataclass(frozen=True, slots=True)
class PageResponse:
    """The response to an address, with further headers if any."""

    status: HTTPStatus
    kind: str
    body: bytes
    policy: str = "default-src 'none'"
    headers: Mapping[str, str] | None = None

    def send(self, to: BaseHTTPRequestHandler) -> None:
        """Send the response; a HEAD gets no body."""
        to.send_response(self.status)
        headers = {
            "Content-Type": self.kind,
            "Content-Length": str(len(self.body)),
            "Content-Security-Policy": self.policy,
            **FOR_THIS_SITE_ALONE,
            **(self.headers or {}),
        }
        for name, value in headers.items():
            to.send_header(name, value)
        to.end_headers()
        if to.command != "HEAD":
            to.wfile.write(self.body)
