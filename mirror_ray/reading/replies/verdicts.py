"""Rewrites verdicts on every option, "A: no, B: yes", as the one option that is affirmed.

A list is not changed if it affirms none or several options, or names one without a verdict."""

import re
from collections.abc import Sequence
from itertools import pairwise

_SIGN = "✅✔✓☑🟢❌✖✗✘🚫🔴"
_LABEL = re.compile(
    rf"(?:^|(?<=[\n;,.|→{{{_SIGN}\ufe0f]))[^\S\n]{{0,4}}(?:[-•+|>]{{1,2}}|\d{{1,2}}[.)])?"
    r"[^\S\n]{0,4}(?:option[ ]|choice[ ])?[(\[]?([A-H])[)\]]?"
    rf"(?:[ ]?[).:?|–—=-]|(?=[^\S\n]?[{_SIGN}])|(?=[ ]\W))",
    re.MULTILINE | re.IGNORECASE,
)
_SIGN_BEFORE = re.compile(
    rf"^[^\S\n]{{0,4}}([{_SIGN}])\ufe0f?[^\S\n]{{0,4}}([^\n]{{1,200}})$", re.M
)
_CHECKED, _UNCHECKED = (
    re.compile(rf"^[^\S\n]{{0,4}}[-*+][ ]\[{sign}\][ ]", re.M) for sign in ("[xX]", "[ ]")
)
_TYPOGRAPHY = str.maketrans(dict.fromkeys("*`_\"'{}", " "))
_PIECE_END = re.compile(rf"[|:–—(),.;\n]|[ ]-[ ]|(?=[{_SIGN}])")
_VERDICT = re.compile(
    r"(?:(?:this|that|it)[ ])?(?:is[ ]|→[ ]?)?(?:(?P<no>no|incorrect|wrong|false|not[ ]correct"
    r"|ruled[ ]out|eliminated|not[ ]a[ ]match|does[ ]not[ ]match|doesn't[ ]match)"
    r"|(?P<yes>yes|correct|true|matches|a[ ]match|the[ ](?:correct[ ])?answer))"
    r"|(?P<crossed>[❌✖✗✘🚫🔴])\ufe0f?.{0,40}|(?P<ticked>[✅✔✓☑🟢])\ufe0f?.{0,40}",
    re.IGNORECASE,
)
_SAYS_SO = re.compile(r"(?:yes|no|true|false|correct|incorrect|right|wrong)\b", re.IGNORECASE)
_MOST_CHARS, _MOST_ITEM_CHARS = 20_000, 400


def verdicts_named(text: str, letters: str, options: Sequence[str] = ()) -> str:
    """Return the text with a line ``Answer: B`` instead of a list of verdicts.

    A list that affirms none of its options, or several, is removed.

    Args:
        letters: of the options that were offered.
        options: their texts, as far as they are known: where one of them is itself a verdict, a
            list of options cannot be told from one of verdicts.
    """
    if len(text) > _MOST_CHARS or any(_SAYS_SO.match(option.strip()) for option in options):
        return text
    whole = _UNCHECKED.sub("❌ ", _CHECKED.sub("✅ ", text))
    whole = _SIGN_BEFORE.sub(r"\2 \1", whole)
    bare = whole.translate(_TYPOGRAPHY)
    labels = [label for label in _LABEL.finditer(bare) if label[1].upper() in letters]
    named = [label[1].upper() for label in labels]
    # An option named again after all of them is the conclusion.
    n_options = len(set(named))
    if n_options < 2 or n_options != len(set(named[:n_options])):
        return text
    again = labels[n_options].start() if len(labels) > n_options else len(bare)
    labels = labels[:n_options]
    affirmed: list[str] = []
    stop = 0
    for label, following in zip(labels, [*labels[1:], None], strict=True):
        stop = min(following.start() if following else again, label.end() + _MOST_ITEM_CHARS)
        line = bare.find("\n", label.end(), stop)
        stop = line if following is None and line >= 0 else stop
        is_affirmed = _is_affirmed(bare[label.end() : stop])
        if is_affirmed is None:
            return text
        affirmed += [label[1].upper()] * is_affirmed
    answer = f"\nAnswer: {affirmed[0]}\n" if len(affirmed) == 1 else "\n"
    return whole[: labels[0].start()].rstrip("{ ") + answer + whole[stop:].lstrip("} ")


def _is_affirmed(item: str) -> bool | None:
    ends = [0, *(end.end() for end in _PIECE_END.finditer(item)), len(item)]
    for begin, end in pairwise(ends):
        said = _VERDICT.fullmatch(item[begin:end].strip(" \t\n|:–—(),.;-!"))
        if said:
            return bool(said["yes"] or said["ticked"])
    return None
