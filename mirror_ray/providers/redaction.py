"""Takes secrets out of text that a record or a log may keep.

Knows what keys look like; a provider's error may echo the whole request, headers and all.
"""

import re

_REMOVED = "[key removed]"
_SHAPES = re.compile(
    r"(?P<label>(?i:\b(?:bearer|basic)\s+"
    r"|\b(?:x-api-key|x-goog-api-key|api[-_]key|authorization)['\"]?\s*[:=]\s*['\"]?"
    r"(?:(?:bearer|basic)\s+)?+"
    r"|[?&]key=))"
    r"(?!\[key removed)[^\s'\"\\,;&}\]]+"
    r"|\b(?:sk|pk|gsk|xai|fw|hf)[-_][A-Za-z0-9*_\-.]{6,}"
    r"|\bAIza[A-Za-z0-9_\-*.]{6,}"
)
_SHORTEST_KEY = 4


def redact(text: str, key: str | None) -> str:
    """`text` without `key` and without anything that looks like one."""
    text = _SHAPES.sub(lambda found: (found["label"] or "") + _REMOVED, text)
    return text.replace(key, _REMOVED) if key and len(key) >= _SHORTEST_KEY else text


def one_line(text: str, key: str | None, limit: int = 300) -> str:
    """`text` redacted first, then on one line and cut at `limit` characters."""
    line = " ".join(redact(text, key).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
