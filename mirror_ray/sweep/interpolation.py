"""Interpolations of a sweep file: ``${key}``, ``${a.b}``, ``${.sibling}`` and nothing else.

They refer only to the file's own keys. Resolvers are not supported, so no expression can read the
environment or another file. Cycles and unbounded repetition are refused."""

import re

from mirror_ray.core.errors import UnfitError
from mirror_ray.core.plain_yaml import MOST_LEVELS, Keys, Size, dotted

_MOST_LINKS = 32
"""The most interpolations that may refer to one another in a chain."""

_MARK = "${"
_REFERENCE = re.compile(r"\$\{(\.*)([\w/-]+(?:\.[\w/-]+|\[[\w./-]+\])*)\}")
"""Leading dots, which go up from the text's own map or list, and a path of keys."""
_STEP = re.compile(r"\[([^][]*+)\]|(?:^|\.)([^][.]*)")


def interpolated(data: object) -> object:
    """Return the same data with every interpolation replaced by the value it names.

    A text that is a single interpolation becomes the value itself and keeps its type.

    Raises:
        UnfitError: an interpolation of another form, of a missing key, in a cycle, or of a list or
            a map within a text; names the key of the text.
    """
    return _Interpolation(data).value(data, ())


def steps_of(path: str) -> Keys:
    """Return the keys of a path such as ``stages.0.runs`` or
    ``budget_per_model_usd[openai/gpt-5.1]``.

    Dots inside brackets are part of the key. One key is "" if `path` is not a path."""
    steps: list[str] = []
    end = 0
    for step in _STEP.finditer(path):
        if step.start() != end:
            break
        steps.append(step[2] if step[1] is None else step[1])
        end = step.end()
    return tuple(steps) if end == len(path) else ("",)


def inner_of(node: object, step: str) -> object:
    """Return a map's value under a key, or a list's at an index. Raise LookupError if there is
    none."""
    if isinstance(node, dict):
        return node[step]
    if isinstance(node, list) and step.isdecimal() and len(step) < 8:
        return node[int(step)]
    raise LookupError(step)


class _Interpolation:
    def __init__(self, data: object) -> None:
        self._data = data
        self._size = Size()
        self._under_way: list[Keys] = []
        self._level = 0

    def value(self, node: object, path: Keys) -> object:
        if isinstance(node, str):
            return self._text(node, path)
        self._spend("", path)
        if not isinstance(node, (dict, list)):
            return node
        self._level += 1
        if self._level > MOST_LEVELS:
            raise _unfit(f"values that make more than {MOST_LEVELS} levels", path)
        value: object
        if isinstance(node, dict):
            for key in node:
                if _MARK in key:
                    raise _unfit(f"{key!r} as a key", path)
            value = {key: self.value(inner, (*path, key)) for key, inner in node.items()}
        else:
            value = [self.value(inner, (*path, str(i))) for i, inner in enumerate(node)]
        self._level -= 1
        return value

    def _spend(self, text: str, path: Keys) -> None:
        # The length of a repeated value counts against the text that contains the interpolation.
        self._size.spend(text, self._under_way[0] if self._under_way else path)

    def _text(self, text: str, path: Keys) -> object:
        self._spend(text, path)
        if _MARK not in text:
            return text
        # A backslash before it means a literal, which no value of a sweep needs.
        if _MARK in _REFERENCE.sub("", text) or f"\\{_MARK}" in text:
            raise _unfit(repr(text), path)
        if path in self._under_way or len(self._under_way) >= _MOST_LINKS:
            raise _unfit(
                f"{text!r}, which leads to itself or over more than {_MOST_LINKS} others", path
            )
        self._under_way.append(path)
        whole = _REFERENCE.fullmatch(text)
        value = self._named(whole, path) if whole else self._filled(text, path)
        self._under_way.pop()
        return value

    def _filled(self, text: str, path: Keys) -> str:
        parts: list[str] = []
        end = 0
        for reference in _REFERENCE.finditer(text):
            value = self._named(reference, path)
            if isinstance(value, (dict, list)):
                raise _unfit(f"{text!r}: {reference[0]} is not a single value", path)
            self._spend(str(value), path)
            parts += (text[end : reference.start()], str(value))
            end = reference.end()
        filled = "".join((*parts, text[end:]))
        if _MARK in filled:
            raise _unfit(f"{text!r}, which becomes another interpolation", path)
        return filled

    def _named(self, reference: re.Match[str], path: Keys) -> object:
        dots, name = reference.groups()
        if len(dots) > len(path):
            raise _unfit(f"{reference[0]}, which leads out of the file", path)
        base = path[: -len(dots)] if dots else ()
        target = (*base, *steps_of(name))
        node: object = self._data
        for i, step in enumerate(target):
            if isinstance(node, str):
                node = self._text(node, target[:i])
            try:
                node = inner_of(node, step)
            except LookupError as error:
                raise _unfit(f"{reference[0]}: unknown key {name!r}", path) from error
        return self.value(node, target)


def _unfit(got: str, path: Keys) -> UnfitError:
    return UnfitError(
        got,
        "interpolations of the file's own keys, such as ${name} or ${stages.0.runs}: never of the"
        " environment, since the resolved sweep is stored",
        "name a key that is there, or write the value; a key's environment variable is named in the"
        " model catalogue (api_key_env)",
        dotted(path),
    )
