"""The published item banks (Jason-Wang313/Mirror, MIT), read from their files.

A row is identified by its number, from 0, because question_id repeats. Malformed rows are never
played."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from mirror_ray.core.bounded_files import MOST_DATA_BYTES, read_bounded, text_of, unzipped
from mirror_ray.core.errors import UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.families.metacog.bank.question import DIFFICULTIES, DOMAINS, Key, Question
from mirror_ray.families.metacog.published_keys import key_of

_MOST_CHARS = 50_000
"""Most characters of a text that is shown or answered."""

_LEAKED = re.compile(r"\b(?:CORRECT_ANSWER|ANSWER_TYPE|DOMAIN_[AB]_SKILL)\s*+:")
"""Fields of the generating model's format, including the key, that the authors' parser left in."""
_UNASKED = re.compile(rf"{_LEAKED.pattern}.*+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BankRow:
    """One playable row."""

    number: int
    given: Mapping[str, Any]
    group: str


@dataclass(frozen=True, slots=True)
class Bank:
    """A file's playable rows. `malformed` counts rows by fault, each row once. `kinds` counts
    playable rows by kind of answer."""

    name: str
    experiment: str
    rows: tuple[BankRow, ...]
    malformed: Mapping[str, int]
    kinds: Mapping[str, int]

    def in_turn(self) -> list[BankRow]:
        """Return all rows; the groups take turns, each in the order of the file."""
        groups: dict[str, list[BankRow]] = {}
        for row in self.rows:
            groups.setdefault(row.group, []).append(row)
        turns = range(max(map(len, groups.values()), default=0))
        return [rows[turn] for turn in turns for rows in groups.values() if turn < len(rows)]


def _records_of(lines: str) -> Iterator[Any]:
    for number, line in enumerate(lines.split("\n"), start=1):
        if line.strip():
            try:
                yield read_json(line)
            except UnfitError as error:
                raise UnfitError(f"line {number}: {error.got}", error.allowed, error.fix) from error


class _MalformedError(Exception):
    """A row that cannot be played; the message is the same for all rows with the same fault."""


@lru_cache(maxsize=8)
def read_bank(path: Path, changed_ns: int) -> Bank:
    """Return the rows of a file of JSON lines or of one JSON list, gzipped or not.

    A row's data identify the bank by the file's content, not its path.

    Args:
        changed_ns: the file's time of change; a change invalidates the cached rows.

    Raises:
        UnfitError: the file cannot be read, is too large, or is not a known bank; names the known
            ones.
    """
    del changed_ns
    raw = read_bounded(path, MOST_DATA_BYTES)
    name = f"published {sha256(raw).hexdigest()[:12]}"
    content = text_of(unzipped(raw, MOST_DATA_BYTES) if path.suffix == ".gz" else raw)
    whole = content.lstrip().startswith("[")
    records = read_json(content) if whole else list(_records_of(content))
    experiment, parse = _format_of(records)
    rows, malformed, kinds = [], Counter[str](), Counter[str]()
    for number, record in enumerate(records):
        try:
            cut = _without_leaks(record)
            given, group, row_kinds = parse(number, cut)
        except _MalformedError as problem:
            malformed[str(problem)] += 1
        except (KeyError, TypeError, AttributeError, ValueError, ArithmeticError):
            malformed["a field is missing or of another type"] += 1
        else:
            rows.append(BankRow(number, {**given, "bank": name}, group))
            kinds.update(row_kinds)
    return Bank(path.name, experiment, tuple(rows), dict(malformed), dict(kinds))


def _without_leaks(value: Any) -> Any:
    """Return a record whose texts stop where the generating model's own fields begin."""
    if isinstance(value, str):
        return _UNASKED.sub("", value).rstrip() if _LEAKED.search(value) else value
    if isinstance(value, list):
        return [_without_leaks(one) for one in value]
    if isinstance(value, dict):
        return {name: _without_leaks(one) for name, one in value.items()}
    return value


def _question(
    item_id: str, record: Mapping[str, Any], domain: str, text: str, answer: object
) -> Question:
    if domain not in DOMAINS:
        raise _MalformedError("an unknown domain")
    if not isinstance(text, str) or not text.strip():
        raise _MalformedError("no text")
    if len(text) > _MOST_CHARS:
        raise _MalformedError("a text that is too long")
    difficulty = record.get("difficulty")
    if len(str(answer)) > _MOST_CHARS:
        raise _MalformedError("an answer that is too long")
    key = key_of(answer)
    if not key.answer:
        raise _MalformedError("no answer")
    if key.kind == "letter":
        key = Key(key.answer[0], "letter", (), tuple("ABCDEFGH"))
    return Question(
        item_id=item_id,
        domain=domain,
        subcategory=str(record.get("subcategory") or ""),
        difficulty=difficulty if difficulty in DIFFICULTIES else None,
        text=text.strip(),
        key=key,
    )


def _text(record: Mapping[str, Any], field: str) -> str:
    text = record[field]
    if not isinstance(text, str):
        raise TypeError(field)
    if len(text) > _MOST_CHARS:
        raise _MalformedError("a text that is too long")
    return text


def _given(question: Question, *domains: str, **fields: object) -> dict[str, Any]:
    return {"question": question.facts, "domains": list(domains), "fields": fields}


_Parsed = tuple[dict[str, Any], str, Iterable[str]]


def _atlas_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    question = _question(
        str(number), record, record["domain"], record["question_text"], record["correct_answer"]
    )
    group = f"{question.domain}.{question.subcategory}"
    return _given(question, question.domain), group, [question.key.kind]


def _transfer_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    domain = record["source_domain"]
    question = _question(str(number), record, domain, record["task_text"], record["correct_answer"])
    given = _given(
        question,
        domain,
        surface_domain=_text(record, "surface_domain"),
        hidden_dependency=_text(record, "hidden_dependency"),
    )
    return given, domain, [question.key.kind]


def _pair_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    a, b = record["domain_a"], record["domain_b"]
    answer = record["component_b"]["correct_answer"]
    question = _question(str(number), record, a, record["task_text"], answer)
    joint = question.facts | {"domain": f"{a} × {b}"}
    given = {"question": joint, "domains": [a, b], "fields": {"domain_a": a, "domain_b": b}}
    return given, f"{a}.{b}", [question.key.kind]


def _trial_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    tasks = {}
    for name, source in (
        ("baseline", "phase_a"),
        ("burn", "phase_b"),
        ("related", "phase_c_related"),
        ("unrelated", "phase_c_unrelated"),
    ):
        task = record[source]
        tasks[name] = _question(
            f"{number}.{name}", task, task["domain"], task["task_text"], task["correct_answer"]
        )
    trial = {name: question.facts for name, question in tasks.items()} | {
        "item_id": _text(record, "trial_id"),
        "true_feedback": _text(record, "phase_b_feedback"),
        "false_feedback": _text(record, "phase_b_false_feedback"),
    }
    return {"trial": trial}, _text(record, "burn_domain"), [q.key.kind for q in tasks.values()]


def _premise_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    flawed = "flawed_prompt" in record
    premise = {
        "item_id": _text(record, "id"),
        "domain": _text(record, "domain"),
        "flaw": _text(record, "category"),
        "flawed": flawed,
        "text": _text(record, "flawed_prompt" if flawed else "control_prompt"),
        "correction": [],
    }
    return {"premise": premise}, str(premise["flaw"]), ["open"]


def _parts_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    one, two = (
        _question(
            f"{number}.{side}",
            {
                "subcategory": record[f"subcategory_{side}"],
                "difficulty": record[f"difficulty_{side}"],
            },
            record[f"domain_{side}"],
            record[f"part{place}_text"],
            record[f"correct_answer_{side}"],
        )
        for place, side in ((1, "a"), (2, "b"))
    )
    parts = {
        "item_id": _text(record, "task_id"),
        "scene": _text(record, "task_text"),
        "one": one.facts,
        "two": two.facts,
    }
    target = record["target_model"] and _text(record, "target_model")
    given = {"parts": parts, "task_set": _text(record, "task_type"), "target": target}
    return given, f"{one.domain}.{two.domain}", [one.key.kind, two.key.kind]


_Parse = Callable[[int, Mapping[str, Any]], _Parsed]
_FORMATS: Mapping[str, tuple[str, _Parse]] = {
    "question_text": ("exp1", _atlas_row),
    "source_domain": ("exp2", _transfer_row),
    "component_a": ("exp3", _pair_row),
    "burn_domain": ("exp4", _trial_row),
    "flawed_prompt": ("exp6b", _premise_row),
    "control_prompt": ("exp6b", _premise_row),
    "part1_text": ("exp9", _parts_row),
}
"""For a field that only one format has, its experiment and its parser."""


def _format_of(records: object) -> tuple[str, _Parse]:
    if isinstance(records, list) and records and isinstance(records[0], dict):
        for field, found in _FORMATS.items():
            if field in records[0]:
                return found
    raise UnfitError(
        f"no bank: its first record has none of {', '.join(_FORMATS)}",
        "a published bank's file",
        "name one of those that docs/metacog.md lists",
    )
