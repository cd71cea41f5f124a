"""Reading a JSON object out of a model's reply, however it is wrapped, within bounded work.

Knows JSON, the wrappings models put around it and how far a repair may go; the caller brings the
model of a valid object and the coercions of its own vocabulary. It never raises on a reply.

The policy, in order; the first step that ends in a valid object wins:

1. A reply cut off by the length limit fails: a repair would invent its end.
2. The whole text is the object: ``strict``.
3. Thinking and fences are stripped; the last balanced object that parses and has at least one
   of the wanted keys is taken: ``cleaned``, or ``coerced`` where a value had to be adapted.
4. What begins at the first brace is repaired: ``repaired``.
5. ``failed``, with one line that says what was wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from typing import Any, Generic, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from mirror_ray.types import ParseStatus

MAX_CHARS = 65_536
"""Only the end of a longer text is read: an answer comes last."""

MAX_REPAIR_CHARS = 6_000
"""json_repair's time grows with the square of hostile text: 1 s for 8 000 characters."""

_MAX_SCAN = 8 * MAX_CHARS
_MAX_MISSES = 1_000
_MAX_NAMED = 40

_THINKING = re.compile(
    r"<(/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>", re.IGNORECASE
)
# A line's begin or end: JSON strings hold no raw line break, so no fence inside one is touched.
_FENCE = re.compile(r"^[ \t]*```[ \t]*\w*|```[ \t]*$", re.MULTILINE)
# Braces of prose and of LaTeX begin no object, so they are not tried.
_BEGIN = re.compile(r'\{(?=\s*["}])')
_SURROGATE = re.compile("[\ud800-\udfff]")

M = TypeVar("M", bound=BaseModel)

Coercion = Callable[[Mapping[str, Any]], tuple[dict[str, Any], tuple[str, ...]]]
"""Adapts a parsed object to the wanted vocabulary; names each change it made. Must not raise."""


@dataclass(frozen=True, slots=True)
class Parsed(Generic[M]):
    """What a reply said.

    Args:
        value: the valid object; None when `status` is "failed".
        fixes: every change between the text and the value, in the order they were made.
        problem: one line on why it failed, fit to be shown to the model; None otherwise.
    """

    value: M | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()
    problem: str | None = None


def parse_object(
    text: str, model: type[M], coerce: Coercion, *, finish_reason: str | None = None
) -> Parsed[M]:
    """Read one object of `model` out of `text` by the policy of this module.

    Args:
        model: decides what is valid; should be strict and forbid extra keys.
        coerce: applied to whatever parsed but was not valid as it stood.
        finish_reason: the provider's; "length" always fails.
    """
    if finish_reason == "length":
        return Parsed(None, "failed", problem="the reply was cut off by the length limit")
    if len(text) <= MAX_CHARS:
        try:
            return Parsed(model.model_validate_json(text, strict=True), "strict")
        except ValidationError:
            pass  # The general path below finds out, and says, what is wrong.
    body, cleaning = _cleaned(text)
    wanted = _wanted_keys(model)
    problem = "it holds no JSON object with the required keys"
    found = _last_object(body, wanted)
    if found is not None:
        candidate, whole = found
        fixes = cleaning if whole else (*cleaning, "took the object out of surrounding text")
        parsed = _validated(candidate, model, coerce, fixes, "cleaned")
        if parsed.value is not None:
            return parsed
        problem = parsed.problem or problem
    repaired = _repaired(body, wanted)
    if repaired is not None:
        parsed = _validated(repaired, model, coerce, (*cleaning, "repaired the JSON"), "repaired")
        if parsed.value is not None:
            return parsed
        if found is None:
            problem = parsed.problem or problem
    return Parsed(None, "failed", cleaning, problem)


def _validated(
    candidate: Mapping[str, Any],
    model: type[M],
    coerce: Coercion,
    fixes: tuple[str, ...],
    status: ParseStatus,
) -> Parsed[M]:
    candidate, decoding = _encodable(candidate)
    try:
        return Parsed(model.model_validate(candidate, strict=True), status, (*fixes, *decoding))
    except ValidationError:
        pass  # Coerced below.
    try:
        adapted, coercions = coerce(candidate)
        value = model.model_validate(adapted, strict=True)
    except ValidationError as error:
        return Parsed(None, "failed", (*fixes, *decoding), _problem(error))
    except RecursionError:
        return Parsed(None, "failed", (*fixes, *decoding), "it is nested too deeply")
    status = "coerced" if status == "cleaned" else status
    return Parsed(value, status, (*fixes, *decoding, *coercions))


def _cleaned(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without thinking and fences, and what was done to it."""
    fixes: list[str] = []
    if len(text) > MAX_CHARS:
        text = text[-MAX_CHARS:]
        fixes.append(f"kept the last {MAX_CHARS} characters")
    without = without_thinking(text)
    if without != text:
        fixes.append("removed thinking")
    body = _FENCE.sub("", without)
    if body != without:
        fixes.append("removed the code fence")
    return body.strip(), tuple(fixes)


def without_thinking(text: str) -> str:
    """The text outside thinking tags, in one pass.

    A chat template may swallow the opening tag and a model may forget the closing one: what
    precedes a lone closing tag is thinking, what follows a lone opening tag may be the answer.
    """
    kept: list[str] = []
    position, inside = 0, False
    for tag in _THINKING.finditer(text):
        if tag[1]:
            if not inside:
                kept.clear()
            position, inside = tag.end(), False
        elif not inside:
            kept.append(text[position : tag.start()])
            position, inside = tag.end(), True
    return "".join([*kept, text[position:]])


def _last_object(body: str, wanted: frozenset[str]) -> tuple[Mapping[str, Any], bool] | None:
    """The last object with a wanted key, and whether it is all of the text."""
    last = None
    for start, end, candidate in _objects(body):
        mapping = _unwrapped(candidate, wanted)
        if mapping is not None:
            last = mapping, start == 0 and end == len(body)
    return last


def _objects(body: str) -> Iterator[tuple[int, int, Any]]:
    """(start, end, value) of every outermost object that parses, in bounded work."""
    decode = JSONDecoder().raw_decode
    begin, scanned, misses = _BEGIN.search(body), 0, 0
    while begin and scanned < _MAX_SCAN and misses < _MAX_MISSES:
        start = begin.start()
        end = start + 1
        try:
            value, end = decode(body, start)
            yield start, end, value
        except JSONDecodeError as error:
            scanned, misses = scanned + error.pos - start, misses + 1
        except (ValueError, RecursionError):  # An integer of 5 000 digits; absurd nesting.
            scanned, misses = scanned + _MAX_SCAN // 64, misses + 1
        begin = _BEGIN.search(body, end)


def _unwrapped(candidate: Any, wanted: frozenset[str]) -> Mapping[str, Any] | None:
    """The object, or the one it wraps as in ``{"answer": {…}}``, if it has a wanted key."""
    layers = [candidate, *candidate.values()] if isinstance(candidate, dict) else []
    for layer in layers:
        if isinstance(layer, dict) and wanted & {folded(key) for key in layer}:
            return layer
    return None


def _repaired(body: str, wanted: frozenset[str]) -> Mapping[str, Any] | None:
    """What json_repair makes of the text from its first brace on, if it has a wanted key."""
    start = body.find("{")
    if start < 0 or len(body) - start > MAX_REPAIR_CHARS:
        return None
    try:
        value: Any = json_repair.loads(body[start:])
    except (ValueError, RecursionError):
        return None
    pieces = value if isinstance(value, list) else [value]
    kept = [piece for piece in (_unwrapped(piece, wanted) for piece in pieces) if piece is not None]
    return kept[-1] if kept else None


def _encodable(candidate: Mapping[str, Any]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Without lone surrogates (half an emoji as an escape), which no UTF-8 record can hold."""
    clean = {
        _SURROGATE.sub("\ufffd", key): (
            _SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value
        )
        for key, value in candidate.items()
    }
    return (clean, ()) if clean == candidate else (clean, ("replaced broken characters",))


def _wanted_keys(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(folded(info.alias or name) for name, info in model.model_fields.items())


def folded(key: str) -> str:
    """A key without case and punctuation: ``View_Description`` equals ``view-description``."""
    return "".join(filter(str.isalnum, key)).lower()


def _problem(error: ValidationError) -> str:
    """The first complaint in one line, without the value that caused it."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:_MAX_NAMED]
    return f'"{where}": {first["msg"]}' if where else str(first["msg"])
