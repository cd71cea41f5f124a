"""Finds environment variables that send calls elsewhere, or change which certificates are
trusted."""

import os
import re
import urllib.request
from collections.abc import Mapping
from urllib.parse import urlsplit

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_TRUST = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_BASE = re.compile(
    r"[A-Z0-9_]{1,60}_(?:API_BASE|BASE_URL|API_ENDPOINT|ENDPOINT_URL)"
    r"|AWS_ENDPOINT_URL_[A-Z0-9_]{1,60}|(?:AZURE|AWS)_[A-Z0-9_]{1,60}_ENDPOINT"
)
_HERE = ("localhost", "127.0.0.1", "::1")


def redirections(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the host that each variable names (a proxy, a server), or its file of certificates.
    User, password, path and query of an address may be secret and are dropped."""
    found = {}
    for name, value in environ.items():
        if not value:
            continue
        if name.upper() in _PROXIES or _BASE.fullmatch(name):
            found[name] = host_of(value)
        elif name in _TRUST:
            found[name] = value[:200]
    return dict(sorted(found.items()))


def host_of(address: str) -> str:
    """Return host and port of an address, without user and password."""
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname or "?", parts.port
    except ValueError:
        return "?"
    return host if port is None else f"{host}:{port}"


def proxy_for(url: str) -> str | None:
    """Return the environment's proxy for an address, or None for this machine. Raise
    ConnectionError for a kind of proxy that calls cannot use."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in _HERE or urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or "://" not in proxy:
        return f"http://{proxy}" if proxy else None
    kind = urlsplit(proxy).scheme
    if kind not in ("http", "https"):
        raise ConnectionError(f"the environment names a {kind} proxy: only http(s) ones are used")
    return proxy


def settle_environment() -> None:
    """Make every client of this process obey the same variables.

    litellm reads NO_PROXY and SSL_CERT_FILE, OpenSSL the latter; other programs' names for a file
    of certificates count if that is not set. Servers on this machine are reached without a proxy.
    """
    environ = os.environ
    given = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    names = [one.strip() for one in given.split(",") if one.strip()]
    environ["no_proxy"] = environ["NO_PROXY"] = ",".join(dict.fromkeys([*names, *_HERE]))
    bundle = environ.get("REQUESTS_CA_BUNDLE") or environ.get("CURL_CA_BUNDLE")
    if bundle and os.path.isfile(bundle):  # noqa: PTH113 - of a path with NUL, too
        environ.setdefault("SSL_CERT_FILE", bundle)
