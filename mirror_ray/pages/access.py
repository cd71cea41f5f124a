"""Decides who may use the viewer: this machine, or holders of the token made at this start.

On this machine a request needs no token, only a Host that is this machine: a page from elsewhere
cannot reach the viewer under a name that it controls (DNS rebinding). From elsewhere, a link with
the token is exchanged for a cookie, so that no later address, and no Referer, contains it."""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from secrets import token_urlsafe

from mirror_ray.core.errors import SweepError

LOOPBACK = "127.0.0.1"
_LOCAL_NAMES = (LOOPBACK, "localhost")
_TOKEN_BYTES = 32
_HOST = re.compile(r"[0-9A-Za-z.-]{1,253}")
TOKEN_KEY = "token"  # noqa: S105 - the name of a field


@dataclass(frozen=True, slots=True)
class Access:
    """The access rules of one server: the name or address under which others reach this machine
    (None: they cannot), and the `token` that they must present."""

    host: str | None = None
    token: str = ""

    @classmethod
    def of(cls, host: str | None) -> "Access":
        """Return the rules, with a new token if others may connect. Raise SweepError if `host` is
        not the name or address of one host."""
        if host is None or host.lower() in _LOCAL_NAMES:
            return cls()
        bracketed = _bracketed(host)
        if bracketed is None:
            raise SweepError(
                "command line: --host",
                repr(host),
                "a name or an address of this machine, by which others reach it",
                "e.g. --host lab-7.example.org; without it, 127.0.0.1 and `ssh -L`",
            )
        return cls(bracketed, token_urlsafe(_TOKEN_BYTES))

    def __repr__(self) -> str:
        return f"Access(host={self.host!r})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which the viewer answers."""
        return _LOCAL_NAMES if self.host is None else (self.host, *_LOCAL_NAMES)

    @property
    def listens_at(self) -> str:
        """The address of the interface to listen on."""
        return LOOPBACK if self.host is None else self.host.strip("[]")

    def knows_host(self, header: str) -> bool:
        """Return whether a Host header names this machine."""
        name = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[^:\[\]]*)(:[0-9]{1,5})?", header)
        return name is not None and name[1].lower() in {one.lower() for one in self.names}

    def is_token(self, given: str) -> bool:
        """Compare the token in constant time."""
        return bool(self.token) and hmac.compare_digest(
            given.encode(errors="replace"), self.token.encode()
        )

    def admits(self, cookies: str, port: int) -> bool:
        """Return whether a request with these cookies may be answered."""
        if not self.token:
            return True
        try:
            found = SimpleCookie(cookies).get(_cookie_name(port))
        except CookieError:
            return False
        return found is not None and self.is_token(found.value)

    def cookie(self, port: int, path: str = "/") -> Mapping[str, str]:
        """Return the header that makes a browser store the token, hidden from scripts and other
        sites. The browser sends it below `path`."""
        kept = f"{_cookie_name(port)}={self.token}; Path={path}; HttpOnly; SameSite=Strict"
        return {"Set-Cookie": kept}


def _bracketed(host: str) -> str | None:
    """Return a host as an address writes it; None if it does not name a single host."""
    try:
        address = ip_address(host)
    except ValueError:
        return host if _HOST.fullmatch(host) else None
    if address.is_unspecified or address.is_multicast:
        return None
    return host if address.version == 4 else f"[{address}]"


def _cookie_name(port: int) -> str:
    # Browsers share cookies between the ports of one host.
    return f"mirror_ray_{port}"
