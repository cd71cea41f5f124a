"""Coercions of a walker's vocabulary; each change is named so that a record shows it.

It knows how models misspell keys, actions and cubes. [Our decision] A value is adapted only if its
meaning is beyond doubt. An action is required. Other values that are missing or unreadable are kept
in the model's words, or as nothing, and never invalidate the action."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from mirror_ray.reading.key_names import folded
from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.color_claims import cube_in
from mirror_ray.reading.parsing import Parsed, cut_within
from mirror_ray.reading.walking.reply_words import REPLY_WORDS
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_TEXTS = ("view-description", "reasoning", "summary")
NOTHING = "none"
_ENDS_OF_VALUES = ('"', "'", ",", "”", "null")
_MAX_QUOTED = 40
_MAX_LISTED = 8

_ACTIONS: Mapping[str, re.Pattern[str]] = {
    "w": re.compile(
        r"w(?: (?:move )?forward)?|(?:move |go |step |walk )?forwards?(?: w)?"
        r"|(?:move |go |step |walk )?(?:straight )?ahead|(?:move |go |step |walk )straight"
    ),
    "s": re.compile(r"s(?: (?:move )?backward)?|(?:move |go |step |walk )?back(?:wards?)?(?: s)?"),
    "a": re.compile(r"(?:a|(?:a )?(?:turn |rotate )?left)(?: by)?(?: 30)?(?: degrees)?(?: a)?"),
    "d": re.compile(r"(?:d|(?:d )?(?:turn |rotate )?right)(?: by)?(?: 30)?(?: degrees)?(?: d)?"),
    "done": re.compile(r"done(?: task complete)?|task complete"),
}
_LONGEST_ACTION = 60
_UNDECIDED = frozenset(
    {"", "none", "null", "n a", "na", "unsure", "not sure", "uncertain", "undetermined"}
    | {"unidentified", "unknown yet", "not yet known", "not known", "undecided", UNKNOWN}
)
_FILLERS = frozenset(
    {"a", "the", "i", "am", "my", "body", "is", "cube", "robot", "color", "colour", "colored"}
    | {"coloured", "one", "on", "in", "at", "of", "me", "left", "right", "middle", "front", "side"}
    | {"center", "centre", "ahead", "nearest", "closest", "far", "physical", "self", "ego", "own"}
    # Words for brightness or clarity do not change a colour; words for any other shade do.
    | {"bright", "brightly", "pure", "vivid", "solid", "plain", "saturated"}
)


def coerced_cube_reply(
    found: Mapping[str, Any], language: Language = "en"
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return `found` with the six keys of a cube reply, as far as possible, and the changes."""
    adapted, fixes = _coerced(
        found, (*_TEXTS, "action", "selected_cube", "identification"), language
    )
    chosen = adapted.get("selected_cube")
    if adapted.get("action") != "done" and chosen != NOTHING:
        # Binding only at done: naming a candidate on the way is against the rules, but harmless.
        adapted["selected_cube"] = NOTHING
        fixes.append(f"selected_cube {_quoted(chosen)} before done read as 'none'")
    return adapted, tuple(fixes)


def coerced_open_reply(
    found: Mapping[str, Any], language: Language = "en"
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return `found` with the five keys of an open-ended reply, and the changes."""
    adapted, fixes = _coerced(found, (*_TEXTS, "action", "identification"), language)
    return adapted, tuple(fixes)


def coerced_glance_reply(
    found: Mapping[str, Any], language: Language = "en"
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return `found` with the three keys of a glance's reply, without those that name nothing."""
    adapted, fixes = _coerced(found, ("view-description", "reasoning", "identification"), language)
    del adapted["summary"]
    if adapted["identification"] is None:
        del adapted["identification"]
    return adapted, tuple(fix for fix in fixes if "'summary'" not in fix)


def _coerced(
    found: Mapping[str, Any], keys: Sequence[str], language: Language
) -> tuple[dict[str, Any], list[str]]:
    adapted, fixes = _renamed(found, keys, language)
    for key in _TEXTS:
        if key not in adapted:
            adapted[key] = ""
            fixes.append(f"added an empty {key!r}")
        elif not isinstance(adapted[key], str):
            adapted[key] = _as_text(adapted[key])
            fixes.append(f"made {key!r} text")
    for key, nothing in (("identification", None), ("selected_cube", NOTHING)):
        if key not in keys:
            continue
        if key not in adapted:
            fixes.append(f"no {key!r}")
        written = adapted.get(key)
        if isinstance(written, list) and len(written) == 1:
            written = written[0]
        adapted[key] = nothing if written is None else written
        if not isinstance(adapted[key], str) and adapted[key] is not None:
            adapted[key] = _as_text(written)
            fixes.append(f"made {key!r} text")
    if "action" in adapted:
        _adapt(adapted, "action", action_of(adapted["action"], language), fixes)
    return adapted, fixes


def action_of(written: Any, language: Language = "en") -> str | None:
    """Return the one action that is named, if nothing else is; None if it is not clear."""
    words = _words(written)
    if len(words) > _LONGEST_ACTION:
        return None
    named = next((action for action, said in _ACTIONS.items() if said.fullmatch(words)), None)
    if named is not None or language == "en":
        return named
    return REPLY_WORDS[language].action_of(words)


def broken_off_within(
    text: str, parsed: Parsed[Any], aliases: Mapping[str, str], *, is_done: bool
) -> str:
    """Return the decisive key within or before which a repaired object breaks off; "" if there is
    none.

    Args:
        aliases: translated keys, folded → English keys.
        is_done: its action is `done`, which needs the whole of `selected_cube`.
    """
    cut = cut_within(text) if parsed.status == "repaired" else ""
    cut = folded(aliases.get(cut, cut))
    if cut == "action":
        # A reply that breaks off at "d" may have been about to say "done".
        return cut
    is_bare = cut == "open" and not text.rstrip("` \t\r\n").endswith(_ENDS_OF_VALUES)
    is_before = bool(cut) and (is_bare or "no 'selected_cube'" in parsed.fixes)
    return "selectedcube" if is_done and (cut == "selectedcube" or is_before) else ""


def selected(cube: str, language: Language = "en") -> str | None:
    """Return the palette's colour, or "none", if nothing else is named; otherwise None."""
    words = _words(cube)
    if words in _UNDECIDED:
        return NOTHING
    rest = [word for word in words.split() if word not in _FILLERS]
    if len(rest) == 1 and rest[0] in COLOR_NAMES:
        return rest[0]
    return cube_in(cube, language)


def _renamed(
    found: Mapping[str, Any], keys: Sequence[str], language: Language
) -> tuple[dict[str, Any], list[str]]:
    """Return the required keys under their right names and no others."""
    adapted = {key: found[key] for key in keys if key in found}
    fixes: list[str] = []
    translated = REPLY_WORDS[language].keys if language != "en" else {}
    by_folded = {folded(key): key for key in keys}
    by_folded |= {name: key for name, key in translated.items() if key in keys}
    dropped: list[str] = []
    for key, value in found.items():
        if key in adapted:
            continue
        wanted = by_folded.get(folded(key))
        if wanted in adapted and folded(key) in translated and adapted[wanted] != value:
            # Given under two names: neither value is taken for the only one.
            adapted[wanted] = [adapted[wanted], value]
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
    written = adapted[key]
    if reading is not None and reading != written:
        adapted[key] = reading
        fixes.append(f"{key} {_quoted(written)} read as {reading!r}")


def _words(written: Any) -> str:
    """Return the lower-case words of a string, a single list item or null; otherwise an unknown
    word."""
    if isinstance(written, list) and len(written) == 1:
        written = written[0]
    if written is None:
        return ""
    if not isinstance(written, str):
        return "\0"
    return " ".join(re.findall(r"[^\W_]+", written.lower()))


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return json.dumps(value)


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]}…"
