"""Detects unusable keys without showing them: one pasted with a line break or quotation marks would
fail at the first call with an obscure message."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from mirror_ray.providers.model import Model

_FAULTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[\r\n]"), "a line break in its value"),
    (re.compile("^\ufeff"), "a byte order mark before its value"),
    (re.compile(r"^\s|\s\Z"), "blank space around its value"),
    (re.compile("^[\"'“”‘’`]|[\"'“”‘’`]\\Z"), "quotation marks around its value"),
    (re.compile(r"^(?:bearer|authorization)[ :]", re.IGNORECASE), "`Bearer` before the key"),
    (re.compile(r"^(?:export )?[A-Za-z_]{3,60}=(?!=*\Z)"), "an assignment in place of a value"),
    (re.compile(r"^\$(?:\w+|\{.*\})\Z"), "the name of a shell variable, which no shell replaced"),
    (re.compile(r"\s#"), "a comment behind the key"),
    (re.compile(r"[^\x21-\x7e\x20]"), "a character that no HTTP header can hold"),
    (
        re.compile(r"^(?:<.*>|(?:sk-)?\.{3,}|your[-_ ].*|changeme)\Z", re.IGNORECASE),
        "a placeholder",
    ),
)
_ROUTES = (
    *("/chat/completions", "/completions", "/chat", "/messages", "/models", "/responses"),
    *("/v1/v1", "/docs"),
)
_VERSION = re.compile(r"/(?:v\d|openai|api)", re.IGNORECASE)


def unusable_keys(model: Model, values: Mapping[str, str]) -> dict[str, str]:
    """Return variable → what is wrong with its value, for variables that are sent with a call.

    Args:
        values: variable → value, of those that are set.
    """
    sent = [] if model.api_key_env is None else [model.api_key_env]
    sent += model.extra_headers_env.values()
    found = {}
    for name in dict.fromkeys(sent):
        fault = fault_of_key(values[name]) if values.get(name) else None
        if fault is not None:
            found[name] = fault
    return found


def fault_of_base_url(address: str) -> str | None:
    """Return a hint if clients cannot complete the address to ``…/chat/completions``."""
    path = urlsplit(address).path.rstrip("/")
    if path.endswith(_ROUTES):
        return "clients add /chat/completions themselves: end it after /v1"
    if not _VERSION.search(path):
        return "most servers answer below /v1: if calls get 404, end it with /v1"
    return None


def fault_of_key(value: str) -> str | None:
    """What is wrong with a key, in words that do not repeat any of it; None if nothing is."""
    return next((fault for pattern, fault in _FAULTS if pattern.search(value)), None)
