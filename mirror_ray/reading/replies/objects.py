"""Writes answers within an object, JSON or nearly so, as labelled lines.

It knows keys that mean an answer, and reads quotes of either kind, comments and extra commas. An
object in which no key or several keys mean an answer is not changed."""

import re

_OBJECT = re.compile(r"(?:```\w{0,12}\s{0,8})?\{([^{}]{1,8000}+)\}(?:\s{0,8}```)?")
_UNFINISHED = re.compile(r"\A\s{0,8}(?:```\w{0,12}\s{0,8})?\{(\s{0,8}[\"'][^{}]{1,8000}+)\Z")
_ANSWER = re.compile(
    r"""["'“]?(?<![\w-])(?P<key>final[_ -]?answer|answer|choice|option|selected[_ -]?option
    |selection|prediction|response|result|verdict|decision|sentence)["'”]?\s{0,4}:\s{0,4}
    (?:"(?P<double>(?>(?:[^"\\]|\\.){0,500}))"|'(?P<single>(?>(?:[^'\\]|\\.){0,500}))'
    |\[\s{0,4}["'](?P<only>[^"'\],\n]{1,200})["']\s{0,4}\]
    |(?P<bare>[\w.+-]{1,40}+))(?=\s{0,8}(?:,|//|\#|/\*|\n|\Z))""",
    re.IGNORECASE | re.VERBOSE,
)
_TAGGED = re.compile(
    r"<(?:(?:final[_-]?)?answer|box)>\s{0,8}([^<>\n]{1,500}?)\s{0,8}</(?:(?:final[_-]?)?answer|box)>",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"^#{1,6}[^\S\n]{1,4}[*_]{0,3}([$€£]?-?\d[\d.,:/%]{0,30}[^\S\n]?[a-z%°]{0,12}|[A-H]|yes|no)[*_.]{0,4}\s{0,9}\Z",
    re.IGNORECASE | re.MULTILINE,
)
"""A last line in the form of a heading, with nothing under it, is an answer."""
_VALUES = ("double", "single", "only", "bare")
_WORDS = re.compile(
    r"""["'](?:text|label|value|content|option(?:[_ ]?text)?|choice|selection)["']\s{0,4}:\s{0,4}
    ["']([^"'\n]{2,200})["']""",
    re.IGNORECASE | re.VERBOSE,
)
"""The words of an option that an object names by its letter."""
_LETTER = re.compile(r"""["'](?:letter|option|choice)["']\s{0,4}:\s{0,4}["']([A-Z])["']""")
_QUOTED_KEY = re.compile(r"""["'“][\w -]{1,40}["'”]\s{0,4}:""")


def answers_named(text: str) -> str:
    """Return the text with a line ``Answer: …`` for every object that has one answer.

    An object that breaks off before its answer is removed."""
    text = _HEADED.sub(r"\nAnswer: \1\n", _TAGGED.sub(r"\nAnswer: \1\n", text))
    unfinished = _UNFINISHED.match(text)
    if unfinished is not None:
        named = _named(unfinished)
        return "" if named == text and _ANSWER.search(text) is None else named
    return _OBJECT.sub(_named, text)


def _named(found: re.Match[str]) -> str:
    inside = found[1]
    if _QUOTED_KEY.search(inside) is None:
        return found[0]
    answers = list(_ANSWER.finditer(inside))
    final = [each for each in answers if each["key"].casefold().startswith("final")]
    called = final or [each for each in answers if each["key"].casefold() == "answer"] or answers
    if len(called) != 1:
        return found[0]
    said = next((value for value in called[0].group(*_VALUES) if value), "")
    if len(said.strip()) == 1 and (words := _WORDS.search(inside)):
        said = f"{said}. {words[1]}"
    elif letter := _LETTER.search(inside):
        said = f"{letter[1]}. {said}"
    return f"\nAnswer: {' '.join(said.split())}\n" if said.strip() else found[0]
