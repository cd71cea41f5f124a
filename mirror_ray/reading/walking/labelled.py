"""A reply without JSON: lines such as ``**Action:** w``, or nothing but an action.

Only labels at the beginnings of lines and the typography around them are read, and above all no
prose. A reply that names two actions, or takes one back, is not read."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.reading.key_names import folded
from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.corrections import CORRECTIONS
from mirror_ray.reading.object_choice import is_taken_back
from mirror_ray.reading.replies.object_or_lines import lines_of
from mirror_ray.reading.walking.coercion import action_of
from mirror_ray.reading.walking.reply_words import REPLY_WORDS

_LABELS = {
    folded(name): name
    for name in (
        *("view-description", "reasoning", "action", "summary"),
        *("selected_cube", "identification"),
    )
} | {"finalaction": "action", "nextaction": "action", "selectedcube": "selected_cube"}
_LABELS_IN: Mapping[Language, Mapping[str, str]] = {
    "en": _LABELS,
    **{language: {**_LABELS, **words.keys} for language, words in REPLY_WORDS.items()},
}
_NO_MORE: Mapping[str, str] = MappingProxyType({})
_AROUND = " \t*_`#>-•\"'“”‘’$|"
_COLONS = (":", "：", "→", "->", "|")
_LONGEST_LABEL = 24


def labelled_fields(
    text: str, language: Language = "en", *, also: Mapping[str, str] = _NO_MORE
) -> dict[str, str] | None:
    """Return the text of each labelled line by key; None unless there is exactly one action. `also`
    maps further labels, folded, to the keys that they mean."""
    labels = {**_LABELS_IN[language], **also}
    if (prose := lines_of(text)) is None:
        return None
    bare = _bare(prose)
    if action_of(bare, language) is not None:
        return {"action": bare}
    found: dict[str, str] = {}
    after, titled = "", ""
    for line in filter(str.strip, prose.splitlines()):
        labelled = _labelled(f"{titled}: {line}" if titled else line, labels)
        titled = _title(line, labels) if labelled is None or not labelled[1] else ""
        if titled:
            continue
        if labelled is None:
            after += f"{line}\n" if "action" in found else ""
            continue
        name, words = labelled
        if name == "action":
            words = _bare(words)
            if action_of(words, language) is None:
                return None
        if name in found and folded(found[name]) != folded(words):
            return None
        found.setdefault(name, words)
    is_kept = not is_taken_back(after, CORRECTIONS[language])
    return found if "action" in found and is_kept else None


def _labelled(line: str, labels: Mapping[str, str]) -> tuple[str, str] | None:
    line = line.lstrip(f"{_AROUND}0123456789.)")
    for colon in _COLONS:
        label, is_there, words = line[: _LONGEST_LABEL + len(colon)].partition(colon)
        name = labels.get(folded(label))
        if is_there and name is not None:
            words = line[len(label) + len(colon) :]
            return name, words.strip(_AROUND)
    return None


def _title(line: str, labels: Mapping[str, str]) -> str:
    bare = _bare(line).rstrip(":：")
    return bare if len(bare) <= _LONGEST_LABEL and folded(bare) in labels else ""


def _bare(words: str) -> str:
    return words.strip(f"{_AROUND}.,;!。，()[]\n")
