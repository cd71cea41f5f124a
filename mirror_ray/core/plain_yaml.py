"""YAML 1.2 from outside as plain data: texts, numbers, booleans, None, lists, and maps of texts.

Only the parser's events are used, without tags, so that no YAML constructs an object. Depth, size
(aliases' repetitions included) and numbers are bounded."""

import re
from collections.abc import Iterator
from math import inf, isfinite
from typing import Any, TypeAlias

import yaml

from mirror_ray.core.errors import UnfitError
from mirror_ray.core.untrusted import MAX_INT, printable
from mirror_ray.core.yaml_faults import yaml_fault

MOST_LEVELS = 32
MOST_SIZE = 2_000_000
"""Characters, with `VALUE_SIZE` more per value. Repetitions by aliases and interpolations count
each time."""
VALUE_SIZE = 20
MOST_KEY_CHARS = 500
MOST_NUMBER_CHARS = 60

Keys: TypeAlias = tuple[str, ...]

_NULL = re.compile(r"null|Null|NULL|~|")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
"""The plain scalars of YAML 1.2's core schema (section 10.3.2); everything else is text."""

_OTHER_LINE_END = re.compile("[\x85\u2028\u2029]")
"""Ends a line in YAML 1.1 only: after a comment it would hide a key."""


def plain_value(text: str) -> str | int | float | bool | None:
    """Return the value of an unquoted scalar in YAML 1.2's core schema.

    ``on``, ``yes``, ``1:30``, ``1_000`` and dates are texts; ``010`` is ten.

    Raises:
        ValueError: an integer of more digits than Python reads.
    """
    if _NULL.fullmatch(text):
        return None
    if _BOOLEAN.fullmatch(text):
        return text[0] in "tT"
    if _INTEGER.fullmatch(text):
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        return int(text, base)
    if _FLOAT.fullmatch(text):
        return float(text.replace(".", "", 1) if text.strip("+-")[1:2].isalpha() else text)
    return text


class _Writer(yaml.SafeDumper):
    """Quotes every text that YAML 1.1 or 1.2 would read as something else."""


for _pattern, _kind in ((_INTEGER, "int"), (_FLOAT, "float")):
    _Writer.add_implicit_resolver(
        f"tag:yaml.org,2002:{_kind}", re.compile(f"^(?:{_pattern.pattern})$"), list("-+.0123456789")
    )


def write_yaml(data: object, *, in_one_line: bool = False) -> str:
    """Write plain data as YAML that means the same in 1.1 and 1.2; keys keep their order."""
    shape: dict[str, Any] = {"default_flow_style": True, "width": inf} if in_one_line else {}
    return str(yaml.dump(data, Dumper=_Writer, sort_keys=False, allow_unicode=True, **shape))


def read_yaml(text: str, *, most_size: int = MOST_SIZE) -> object:
    """Return the data of a text with one YAML document, or None if it is empty. Raise UnfitError,
    naming the key, if it is not YAML, or not plain data within `most_size`."""
    if other := _OTHER_LINE_END.search(text):
        raise UnfitError(
            f"the line end U+{ord(other[0]):04X}, which ends a line for some readers of YAML alone",
            "line feeds",
            "remove it: editors may not show it",
            place=(text.count("\n", 0, other.start()), 0, 1),
        )
    try:
        return _Reader(text, most_size).document()
    # UnicodeError: a command line may contain lone surrogates, which UTF-8 cannot encode.
    except (yaml.YAMLError, UnicodeError) as error:
        raise yaml_fault(error, text) from error


def dotted(path: Keys) -> str:
    """Return a path of keys in the form that errors and overrides use."""
    return ".".join(path)


class Size:
    """How much may still be read; see `MOST_SIZE`."""

    def __init__(self, most: int = MOST_SIZE) -> None:
        self._most = self._left = most

    def spend(self, text: str, path: Keys) -> None:
        """Count a value; raise UnfitError if there are too many."""
        self._left -= VALUE_SIZE + len(text)
        if self._left < 0:
            raise UnfitError(
                "more values than a sweep or a catalogue can need",
                f"at most {self._most:,} characters, a value counted as {VALUE_SIZE} more, and"
                " repeated ones each time",
                "repeat less: fewer aliases, interpolations and values",
                dotted(path),
            )


class _Reader:
    def __init__(self, text: str, most_size: int) -> None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self._events: Iterator[Any] = yaml.parse(text, Loader=loader)
        self._anchored: dict[str, object] = {}
        self._size = Size(most_size)

    def document(self) -> object:
        next(self._events)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None
        value = self._value(next(self._events), ())
        next(self._events)
        if not isinstance(next(self._events), yaml.StreamEndEvent):
            raise UnfitError(
                "a second document, after ---", "one document in a file", "remove the others"
            )
        return value

    def _value(self, event: Any, path: Keys) -> object:
        if len(path) > MOST_LEVELS:
            raise _too_deep(path)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchored:
                raise _unfit(event, path, f"*{event.anchor} before the end of &{event.anchor}")
            return self._copied(self._anchored[event.anchor], path)
        if event.tag is not None:
            raise _unfit(event, path, f"the tag {event.tag}")
        if isinstance(event, yaml.ScalarEvent):
            value = self._scalar(event, path)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._list(path)
        else:
            value = self._map(path)
        if event.anchor is not None:
            self._anchored[event.anchor] = value
        return value

    def _list(self, path: Keys) -> list[object]:
        self._size.spend("", path)
        values: list[object] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            values.append(self._value(event, (*path, str(len(values)))))
        return values

    def _map(self, path: Keys) -> dict[str, object]:
        self._size.spend("", path)
        values: dict[str, object] = {}
        merged: dict[str, object] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, path)
            inner = (*path, key)
            if key in values:
                raise UnfitError(
                    f"the key {key} a second time",
                    "each key once in a map",
                    f"keep one of the two lines of {key}; several values go into a list:"
                    f" {key}: [first, second]",
                    dotted(inner),
                    _place(event),
                )
            value = self._value(next(self._events), inner)
            if key == "<<" and event.implicit[0]:
                for one in value if isinstance(value, list) else [value]:
                    if not isinstance(one, dict):
                        raise _unfit(event, inner, "a merge of something other than a map")
                    merged = {**one, **merged}
            else:
                values[key] = value
        return {**merged, **values}

    def _key(self, event: Any, path: Keys) -> str:
        if not isinstance(event, yaml.ScalarEvent) or event.tag is not None:
            raise _unfit(event, path, "a key with a tag, or which is a list, a map or an alias")
        if event.implicit[0] and not _is_text(event.value):
            raise _unfit(event, path, f"the key {event.value[:60]}, which is not text")
        key = self._text(event, path)
        if len(key) > MOST_KEY_CHARS:
            raise _unfit(event, path, f"a key of {len(key):,} characters")
        return key

    def _scalar(self, event: Any, path: Keys) -> object:
        text = self._text(event, path)
        if not event.implicit[0]:
            return text
        # Lists of seeds may be long.
        if text.isdigit() and text.isascii() and len(text) < 19:
            return int(text)
        # An integer's digits are counted before they are read.
        if len(text) > MOST_NUMBER_CHARS:
            if _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text):
                raise _unfit(event, path, f"a number of {len(text):,} digits")
            return text
        value = plain_value(text)
        if isinstance(value, bool):
            return value
        if isinstance(value, int) and abs(value) > MAX_INT:
            raise _unfit(event, path, f"the number {text}")
        if isinstance(value, float) and not isfinite(value):
            raise _unfit(event, path, f"{text}, which is not finite")
        return value

    def _text(self, event: Any, path: Keys) -> str:
        text = str(event.value)
        self._size.spend(text, path)
        shown = printable(text)
        if shown != text:
            # The text itself may be secret.
            bad = next(c for c, kept in zip(text, shown, strict=True) if c != kept)
            raise _unfit(event, path, f"the character U+{ord(bad):04X}, which cannot be printed")
        return text

    def _copied(self, value: object, path: Keys) -> object:
        """Copy the value for each use of an alias, so that each use can be overridden by itself."""
        if len(path) > MOST_LEVELS:
            raise _too_deep(path)
        self._size.spend(value if isinstance(value, str) else "", path)
        if isinstance(value, dict):
            return {key: self._copied(inner, (*path, key)) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._copied(inner, (*path, str(i))) for i, inner in enumerate(value)]
        return value


def _is_text(scalar: str) -> bool:
    return not any(one.fullmatch(scalar) for one in (_NULL, _BOOLEAN, _INTEGER, _FLOAT))


def _too_deep(path: Keys) -> UnfitError:
    return UnfitError(
        f"more than {MOST_LEVELS} levels",
        f"at most {MOST_LEVELS} lists and maps in each other",
        "nest less",
        dotted(path[:4]),
    )


def _unfit(event: Any, path: Keys, got: str) -> UnfitError:
    return UnfitError(
        got,
        "plain data: printable texts, finite numbers within ±2^63, true, false, null, lists, and"
        f" maps whose keys are texts of at most {MOST_KEY_CHARS} characters, each given once",
        "write the value itself; a text that looks like something else goes between quotation"
        " marks",
        dotted(path),
        _place(event),
    )


def _place(event: Any) -> tuple[int, int, int]:
    start, end = event.start_mark, event.end_mark
    return start.line, start.column, end.column - start.column if start.line == end.line else 1
