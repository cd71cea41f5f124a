"""Refuses secrets in a catalogue, because it is printed and stored with every run.

They may be in an address, a header, a query parameter, the name of a litellm parameter, or in place
of a variable's name. No message shows one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from mirror_ray.core.errors import SweepError
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.providers.redaction import Secrets, looks_like_a_key

_SAID = shipped_yaml("mirror_ray.providers", "catalogue_secrets.yaml")
HEADERS, _HEADER_HOLDERS, _QUERY_HOLDERS, _QUERY, _HARMLESS_NAMES = (
    frozenset(_SAID[name])
    for name in ("headers", "header_holders", "query_holders", "query", "harmless_names")
)
_SECRET_NAMES = re.compile(r"(^|_)(key|token|sig|auth|pwd|pass|jwt)$")

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,99}")
_LONGEST_WORD = 16
_MOST_DIGITS = 4
_FIX = (
    "put the value into an environment variable and name that: api_key_env: MY_KEY for the key, "
    "extra_headers_env: {X-Auth-Token: MY_TOKEN} for headers"
)


def is_variable(name: str) -> bool:
    """Return whether `name` looks like a variable, not a key: capitals and underscores, whole
    words."""
    words = name.split("_")
    return (
        _VARIABLE.fullmatch(name) is not None
        and not looks_like_a_key(name)
        and all(
            len(word) <= _LONGEST_WORD and sum(map(str.isdigit, word)) <= _MOST_DIGITS
            for word in words
        )
    )


def check_address(address: str | None, where: str) -> None:
    """Accept only scheme, host, port and path. The SweepError does not show the address."""
    try:
        parts = urlsplit(address or "http://host")
        is_plain = parts.scheme in {"http", "https"} and bool(parts.hostname)
        is_plain = is_plain and parts.port != 0 and "\\" not in (address or "")
    except ValueError:
        is_plain = False
    else:
        is_plain = is_plain and "@" not in parts.netloc and not (parts.query or parts.fragment)
        is_plain = is_plain and not set("?#;") & set(address or "")
    if not is_plain or looks_like_a_key(address or ""):
        raise SweepError(
            where,
            "no plain address, or one with credentials or a query (not shown)",
            "scheme, host, port and path, e.g. https://llm.example.org/v1",
            f"remove what else is there; {_FIX}",
        )


def check_extra(extra: Mapping[str, Any], where: str) -> None:
    """Refuse secrets in `extra`, by name or form. The SweepError shows only the name."""
    for path, value in _leaves(extra, ()):
        # A key may have been written in place of a name.
        at = Secrets().redact(".".join((where, *path)))
        holder = path[-2].lower() if len(path) > 1 else ""
        if any(part.lower() in _HEADER_HOLDERS for part in path[:-1]):
            _check_header(path[-1], value, at)
        elif holder in _QUERY_HOLDERS and path[-1].lower() not in _QUERY:
            raise SweepError(
                at,
                "a query parameter, which may be a secret",
                f"of query parameters, {', '.join(sorted(_QUERY))}",
                _FIX,
            )
        elif path[-1].lower() in _HEADER_HOLDERS | _QUERY_HOLDERS:
            if value:
                raise SweepError(at, "no mapping (not shown)", "a mapping of names", _FIX)
        elif any(_is_secret(part) for part in path):
            name = next(part for part in path if _is_secret(part))
            raise SweepError(
                at,
                f"{Secrets().one_line(name)!r}, which looks like a secret",
                "no secrets: the catalogue is stored with every run",
                "put it into the environment, and its name into api_key_env or needs_env",
            )
        elif isinstance(value, str) and (looks_like_a_key(value) or _has_credentials(value)):
            raise SweepError(
                at, "a value that looks like a key (not shown)", "values that are not secrets", _FIX
            )


def _check_header(name: str, value: object, at: str) -> None:
    if name.lower() not in HEADERS:
        # A secret may have been written in place of its header's name.
        got = "a header" if looks_like_a_key(name) else f"the header {name[:60]!r}"
        raise SweepError(
            at,
            f"{got}, whose value may be secret",
            f"of headers, {', '.join(sorted(HEADERS))}",
            _FIX,
        )
    if not isinstance(value, str) or not value.isprintable() or looks_like_a_key(value):
        raise SweepError(
            at, "no plain text, or one that looks like a key (not shown)", "a line of text", _FIX
        )


def _is_secret(name: str) -> bool:
    plain = name.lower().replace("-", "_")
    has_part = any(part in plain for part in _SAID["secret_parts"])
    return plain not in _HARMLESS_NAMES and (has_part or _SECRET_NAMES.search(plain) is not None)


def _has_credentials(value: str) -> bool:
    return "://" in value and "@" in value.partition("://")[2].partition("/")[0]


def _leaves(value: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    inner: Sequence[tuple[str, object]] = ()
    if isinstance(value, Mapping):
        inner = [(str(key), one) for key, one in value.items()]
    elif isinstance(value, list):
        inner = [(str(index), one) for index, one in enumerate(value)]
    if not inner and path:
        yield path, value
    for key, one in inner:
        yield from _leaves(one, (*path, key))
