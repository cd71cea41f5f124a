"""Reads a JSON object from a model's reply, however it is wrapped, within bounded work.

The caller supplies the model of a valid object and the coercions of its vocabulary. No reply raises
an error.

The policy, in order; the first step that ends in a valid object wins:

1. A reply cut off by the length limit fails: a repair would invent its end.
2. The whole text is the object: ``strict``.
3. Thinking and fences are stripped; the last balanced object that parses and has at least one
   of the wanted keys is taken: ``cleaned``, or ``coerced`` where a value had to be adapted.
4. The text from the first brace is repaired, including typographic quotes and colons: ``repaired``.
5. ``failed``, with one line on the problem.

A reply that commits to two things fails: objects that differ in the decisive key without a word of
correction between them, or words after the last object, which may take it back. So does one that
never ends its thinking."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from json import JSONDecodeError, JSONDecoder
from types import MappingProxyType
from typing import Any, Generic, Literal, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

from mirror_ray.core.types import CUT_SHORT, Facts, ParseStatus
from mirror_ray.reading.json_repairing import repaired
from mirror_ray.reading.key_names import folded, named_twice
from mirror_ray.reading.object_choice import (
    ENGLISH,
    TAKEN_BACK,
    Coercion,
    Corrections,
    Found,
    names_another,
    trouble_of,
)
from mirror_ray.reading.thinking import thinking_split

ANY_OBJECT: Facts = {"type": "object"}
"""The schema of any JSON object, for which providers have a special mode."""

MAX_CHARS = 65_536
"""Only the end of a longer text is read, because an answer is at the end."""

MAX_REPAIR_CHARS = 6_000
"""A longer text that needs a repair is not the requested object."""

_MAX_SCAN = 8 * MAX_CHARS
_MAX_MISSES = 1_000
_MAX_NAMED = 40
_MAX_TAIL = 300

# At the start or end of a line: JSON strings contain no raw line break, so no fence inside one
# changes.
_FENCE = re.compile(r"^[ \t]*```[ \t]*\w*|```[ \t]*$", re.MULTILINE)
# Braces of prose and of LaTeX do not start objects, so they are not tried.
_BEGIN = re.compile(r'\{(?=\s*["}])')
_TYPOGRAPHIC = str.maketrans("“”„‟«»「」『』‘’：，", '"' * 10 + "''" + ":,")
# Full-width signs between a key and its value, and between two pairs.
_WIDE_COLON = re.compile(r'(?<=")[ ]?：[ ]?(?=["\d\[{ntf])')
_WIDE_COMMA = re.compile(r'(?<=["\d\]}el])[ ]?，\s{0,8}(?="[\w-]{1,40}"\s?:)')
_FIRST_PAIR = re.compile(r'"[\w-]{1,40}"\s{0,8}:')
_CUT_WITHIN = re.compile(r'"([\w-]{1,40})"\s{0,8}:\s{0,8}"[^"{}\n]{0,200}$')
_SURROGATE = re.compile("[\ud800-\udfff]")

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[M]):
    """The result of reading a reply.

    Args:
        value: the valid object; None when `status` is "failed".
        fixes: every change between the text and the value, in the order they were made.
        problem: one line on why it failed, suitable for the model; None otherwise.
    """

    value: M | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()
    problem: str | None = None


def parse_object(
    text: str,
    model: type[M],
    coerce: Coercion,
    *,
    decisive: Sequence[str] = (),
    finish_reason: str | None = None,
    aliases: Mapping[str, str] = MappingProxyType({}),
    corrections: Corrections = ENGLISH,
) -> Parsed[M]:
    """Read one object of `model` from `text` by the policy of this module.

    Args:
        model: decides what is valid; should be strict and forbid extra keys.
        coerce: applied to an object that parsed but was not valid.
        decisive: the keys in which all objects of a reply must agree, as coerced.
        finish_reason: of the reply; one of `CUT_SHORT` always fails.
        aliases: further names of keys, folded → key; `coerce` renames them.
        corrections: the words by which a later object replaces an earlier one.
    """
    if finish_reason in CUT_SHORT:
        return Parsed(None, "failed", problem="the reply was cut off by the length limit")
    says_twice = named_twice(text, decisive, aliases)
    if len(text) <= MAX_CHARS and not says_twice:
        try:
            return Parsed(model.model_validate_json(text, strict=True), "strict")
        except ValidationError:
            pass  # The general path below finds out, and says, what is wrong.
    body, cleaning, is_open = _cleaned(text)
    wanted = _wanted_keys(model) | aliases.keys()
    problem = "it holds no JSON object with the required keys"
    if is_open:
        body, problem = "", "it ends within its thinking"
    found = list(_wanted_objects(body, wanted))
    if found:
        start, end, candidate = found[-1]
        whole = start == 0 and end == len(body)
        fixes = cleaning if whole else (*cleaning, "took the object out of surrounding text")
        parsed = _validated(candidate, model, coerce, fixes, "cleaned")
        trouble = trouble_of(body, found, coerce, decisive, corrections)
        if trouble is None and parsed.value is not None:
            fields = [(key, model.model_fields.get(key)) for key in decisive]
            words = [key for key, one in fields if one and get_origin(one.annotation) is Literal]
            decides = [partial(_with_word, candidate, model, coerce, key) for key in words]
            is_other = any(names_another(body[end:], decide, parsed.value) for decide in decides)
            trouble = TAKEN_BACK if is_other else None
        if trouble:
            return Parsed(None, "failed", cleaning, trouble)
        if parsed.value is not None:
            return parsed
        problem = parsed.problem or problem
    # If a key is given twice, a repair would keep only one value.
    repairs = [] if says_twice else _repaired(body, wanted)
    if repairs:
        fixes = (*cleaning, "repaired the JSON")
        # Their positions in the text are unknown.
        at = body.rfind("}") + 1 or len(body)
        placed = [(0, at, each) for each in repairs]
        trouble = trouble_of(body, placed, coerce, decisive, corrections)
        parsed = (
            _validated(repairs[-1], model, coerce, fixes, "repaired")
            if trouble is None
            else Parsed(None, "failed", cleaning, trouble)
        )
        if parsed.value is not None or not found:
            return parsed
    return Parsed(None, "failed", cleaning, problem)


def _with_word(
    candidate: Mapping[str, Any], model: type[M], coerce: Coercion, key: str, word: str
) -> M | None:
    return _validated({**candidate, key: word}, model, coerce, (), "cleaned").value


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
        # Coercions may turn other values into text.
        adapted, more = _encodable(adapted)
        value = model.model_validate(adapted, strict=True)
    except ValidationError as error:
        return Parsed(None, "failed", (*fixes, *decoding), _problem(error))
    except RecursionError:
        return Parsed(None, "failed", (*fixes, *decoding), "it is nested too deeply")
    status = "coerced" if status == "cleaned" else status
    return Parsed(value, status, (*fixes, *(decoding or more), *coercions))


def _cleaned(text: str) -> tuple[str, tuple[str, ...], bool]:
    fixes: list[str] = []
    if len(text) > MAX_CHARS:
        text = text[-MAX_CHARS:]
        fixes.append(f"kept the last {MAX_CHARS} characters")
    said, unclosed = thinking_split(text)
    if said != text:
        fixes.append("removed thinking")
    body = _FENCE.sub("", said)
    if body != said:
        fixes.append("removed the code fence")
    return body.strip(), tuple(fixes), unclosed is not None


def _wanted_objects(body: str, wanted: frozenset[str]) -> Iterator[Found]:
    for start, end, candidate in _objects(body):
        mapping = _unwrapped(candidate, wanted)
        if mapping is not None:
            yield start, end, mapping


def _objects(body: str) -> Iterator[tuple[int, int, Any]]:
    decode = JSONDecoder(object_pairs_hook=_both_of_pairs).raw_decode
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


def _both_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Keep both values of a repeated key, so that neither is taken for the only one."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = [found[key], value] if key in found and found[key] != value else value
    return found


def _unwrapped(candidate: Any, wanted: frozenset[str]) -> Mapping[str, Any] | None:
    """Return the object, or the one within ``{"answer": {…}}``, if it has a required key."""
    layers = [candidate, *candidate.values()] if isinstance(candidate, dict) else []
    for each in layers:
        layer = each[0] if isinstance(each, list) and len(each) == 1 else each
        if isinstance(layer, dict) and wanted & {folded(key) for key in layer}:
            return layer
    return None


def _repaired(body: str, wanted: frozenset[str]) -> list[Mapping[str, Any]]:
    if "{" not in body and _FIRST_PAIR.match(body):
        body = f"{{{body}"
    start = body.find("{")
    if start < 0 or len(body) - start > MAX_REPAIR_CHARS:
        return []
    text = body[start:]
    if '"' not in text:
        text = text.translate(_TYPOGRAPHIC)
    elif _WIDE_COLON.search(text):
        text = _WIDE_COMMA.sub(", ", _WIDE_COLON.sub(": ", text))
    value = repaired(text)
    pieces = value if isinstance(value, list) else [value]
    return [piece for piece in (_unwrapped(piece, wanted) for piece in pieces) if piece is not None]


def cut_within(text: str) -> str:
    """Return the key within whose value a text ends; "open" within its object, "" elsewhere."""
    cut = _CUT_WITHIN.search(text[-_MAX_TAIL:])
    return folded(cut[1]) if cut else "" if "}" in text[text.rfind("{") :] else "open"


def _encodable(candidate: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    clean = {
        encodable(key): encodable(value) if isinstance(value, str) else value
        for key, value in candidate.items()
    }
    return clean, () if clean == candidate else ("replaced broken characters",)


def encodable(text: str) -> str:
    """Return the text with every lone surrogate, which JSON can express, replaced."""
    return _SURROGATE.sub("\ufffd", text)


def _wanted_keys(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(folded(info.alias or name) for name, info in model.model_fields.items())


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:_MAX_NAMED]
    return f'"{where}": {first["msg"]}' if where else str(first["msg"])


def strict_schema(model: type[BaseModel], actions: Sequence[str]) -> Facts:
    """Return the JSON schema of a walker's reply: every key is required, and no other is
    allowed."""
    keys: dict[str, Facts] = {
        info.alias or name: {"type": "string"} for name, info in model.model_fields.items()
    }
    if "action" in keys:
        keys["action"] = {"enum": [*actions], "type": "string"}
    closed = {"additionalProperties": False, "properties": keys, "required": [*keys]}
    return {**closed, "type": "object"}
