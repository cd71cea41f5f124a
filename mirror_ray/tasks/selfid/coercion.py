"""Which liberties with selfid's vocabulary are forgiven, each named so that a record shows it.

Knows how models misspell keys, actions and colours. [Our decision] A value is adapted only where
its meaning is beyond doubt; "grey", "red or blue" and a missing identification are asked for again.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from mirror_ray.providers.parsing import folded
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_TEXTS = ("view-description", "reasoning", "summary")
_MAX_QUOTED = 40
_MAX_LISTED = 8

_ACTIONS = {
    "forward": "w",
    "move forward": "w",
    "backward": "s",
    "move backward": "s",
    "turn left": "a",
    "turn left by 30 degrees": "a",
    "turn right": "d",
    "turn right by 30 degrees": "d",
    "task complete": "done",
    **{action: action for action in ("w", "a", "s", "d", "done")},
}
_UNDECIDED = frozenset(
    {"", "none", "null", "n a", "na", "unsure", "not sure", "uncertain", "undetermined"}
    | {"unidentified", "unknown yet", "not yet known", "not known", "undecided"}
)
_FILLERS = frozenset(
    {"a", "the", "i", "am", "my", "body", "is", "cube", "robot", "color", "colour"}
)


def coerced_cube_reply(found: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """`found` with the six keys of a cube reply, as far as it can be read so; and the changes."""
    adapted, fixes = _coerced(found, (*_TEXTS, "action", "selected_cube", "identification"))
    chosen = adapted.get("selected_cube")
    if adapted.get("action") != "done" and chosen != "none":
        # Binding only at done: a candidate named on the way is against the rules, yet harmless.
        adapted["selected_cube"] = "none"
        fixes.append(f"selected_cube {_quoted(chosen)} before done read as 'none'")
    return adapted, tuple(fixes)


def coerced_open_reply(found: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """`found` with the five keys of an open-ended reply; and the changes."""
    adapted, fixes = _coerced(found, (*_TEXTS, "action", "identification"))
    return adapted, tuple(fixes)


def _coerced(found: Mapping[str, Any], keys: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    adapted, fixes = _renamed(found, keys)
    for key in _TEXTS:
        if key not in adapted:
            adapted[key] = ""
            fixes.append(f"added an empty {key!r}")
        elif not isinstance(adapted[key], str):
            adapted[key] = _as_text(adapted[key])
            fixes.append(f"made {key!r} text")
    for key, undecided in (("identification", UNKNOWN), ("selected_cube", "none")):
        if key in adapted and key in keys:
            _adapt(adapted, key, _color(adapted[key], undecided), fixes)
    if "action" in adapted:
        _adapt(adapted, "action", _ACTIONS.get(_words(adapted["action"])), fixes)
    return adapted, fixes


def _renamed(found: Mapping[str, Any], keys: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The wanted keys under their right names; the rest dropped."""
    adapted = {key: found[key] for key in keys if key in found}
    fixes: list[str] = []
    by_folded = {folded(key): key for key in keys}
    dropped: list[str] = []
    for key, value in found.items():
        if key in adapted:
            continue
        wanted = by_folded.get(folded(key))
        if wanted is None or wanted in adapted:
            dropped.append(key)
            continue
        adapted[wanted] = value
        fixes.append(f"key {_quoted(key)} read as {wanted!r}")
    if dropped:
        listed = ", ".join(_quoted(key) for key in dropped[:_MAX_LISTED])
        more = len(dropped) - _MAX_LISTED
        fixes.append(f"dropped {listed}" + (f" and {more} more keys" if more > 0 else ""))
    return adapted, fixes


def _adapt(adapted: dict[str, Any], key: str, reading: str | None, fixes: list[str]) -> None:
    """Put a reading in place of what was written, unless there is none or nothing changes."""
    written = adapted[key]
    if reading is not None and reading != written:
        adapted[key] = reading
        fixes.append(f"{key} {_quoted(written)} read as {reading!r}")


def _color(written: Any, undecided: str) -> str | None:
    """The one colour named and nothing else said, or `undecided`; None where neither is clear."""
    words = _words(written)
    if words in _UNDECIDED or words == UNKNOWN:
        return undecided
    rest = [word for word in words.split() if word not in _FILLERS]
    return rest[0] if len(rest) == 1 and rest[0] in COLOR_NAMES else None


def _words(written: Any) -> str:
    """Lower-case words of a string, of a list's only element, or of null; else no known word."""
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    if written is None:
        return ""
    if not isinstance(written, str):
        return "\0"
    return " ".join(re.findall(r"\w+", written.lower()))


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return json.dumps(value)


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"
