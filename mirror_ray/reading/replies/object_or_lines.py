"""Replies that are a JSON object, or else labelled lines: code that their readers share."""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from mirror_ray.reading.grammar import TAKEN_BACK
from mirror_ray.reading.key_names import folded
from mirror_ray.reading.parsing import MAX_CHARS
from mirror_ray.reading.thinking import thinking_split

_TAGGED = re.compile(r"<([a-z_-]{1,24})>([^<>]{0,4000}+)</[a-z_-]{1,24}>", re.IGNORECASE)
_LATEX = ("boxed", "text", "mathrm", "mathbf", "textbf")


def under_their_keys(
    found: Mapping[str, Any], keys: Collection[str], texts: Collection[str]
) -> tuple[dict[str, Any], list[str]]:
    """Return `found` with the required keys under their right names and no others, and the changes.
    The values of the keys in `texts` become text, which is empty if they are missing."""
    by_folded = {folded(key): key for key in keys}
    adapted: dict[str, Any] = {key: found[key] for key in keys if key in found}
    fixes: list[str] = []
    for key, value in found.items():
        wanted = by_folded.get(folded(key))
        if key not in adapted and wanted is not None and wanted not in adapted:
            adapted[wanted] = value
            fixes.append(f"key read as {wanted!r}")
    if len(found) > len(adapted):
        fixes.append(f"dropped {len(found) - len(adapted)} keys")
    for key in texts:
        value = adapted.get(key)
        if not isinstance(value, str):
            adapted[key] = "" if value is None else json.dumps(value)
            fixes.append(f"made {key!r} text")
    return adapted, fixes


def lines_of(text: str) -> str | None:
    """Return a reply without an object, with its XML tags as labelled lines. None if it has an
    object, or never ends its thinking."""
    said, unclosed = thinking_split(text[-MAX_CHARS:])
    for name in _LATEX:
        if f"\\{name}{{" in said:
            said = said.replace(f"\\{name}{{", "").replace("}", "")
    lines = _TAGGED.sub(lambda tag: f"\n{tag[1]}: {tag[2].strip()}\n", said).strip()
    return None if unclosed is not None or "{" in lines or "}" in lines else lines


def lines_alone(text: str) -> str | None:
    """Return the same; None also if the reply takes back what it says."""
    lines = lines_of(text)
    return None if lines is None or TAKEN_BACK.search(lines) else lines
