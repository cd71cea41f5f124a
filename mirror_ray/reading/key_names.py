"""How models write the keys of an object: under other names, and more than once."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

_KEY = re.compile(r"""["'“„«「]([^\W_][\w -]{0,39})["'”“»」]\s{0,8}[:：]""")
_MOST_CHARS = 65_536


def folded(key: str) -> str:
    """Return a key without case and punctuation: ``View_Key`` equals ``view-key``."""
    return "".join(filter(str.isalnum, key)).lower()


def named_twice(text: str, keys: Sequence[str], aliases: Mapping[str, str]) -> bool:
    """Return whether a text has one of the keys more than once. `aliases` maps further names,
    folded, to keys; if given, every name of a key is counted."""
    if any(text.count(f'"{key}"') + text.count(f"'{key}'") > 1 for key in keys):
        return True
    if not aliases:
        return False
    written = map(folded, _KEY.findall(text[-_MOST_CHARS:]))
    by_folded = {folded(key): key for key in keys} | dict(aliases)
    named = Counter(by_folded.get(name) for name in written)
    return any(named[key] > 1 for key in keys)
