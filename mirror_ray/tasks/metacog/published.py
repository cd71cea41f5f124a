"""The published item banks (Jason-Wang313/Mirror, MIT), read from their files.

Knows the files' formats and what is wrong with a row; the row's number, from 0, is its key, since
the question_id repeats. [Our decision] The kind of an answer is told from its text, because
``short_text`` covers numbers, yes and no, lists and whole paragraphs; an answer of more than eight
words is ``open``: no key can decide it. Malformed rows are reported and never played.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mirror_ray.tasks.metacog.quantity import clock_times, quantities
from mirror_ray.tasks.metacog.question import DIFFICULTIES, DOMAINS, Key, Kind, Question

LONGEST_KEY_WORDS = 8

_WORDY = re.compile(r"^(?:about|approximately|approx\.?|around|~|≈)\s*", re.IGNORECASE)
_YES_NO = frozenset({"yes", "no", "true", "false"})
_LEAKED = re.compile(r"\b(?:CORRECT_ANSWER|ANSWER_TYPE|DOMAIN_[AB]_SKILL)\s*:")
"""Fields of the generating model's own format, left in a text by its parser: the key is in it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One playable row: its number, what an episode is given, and the group it is drawn from."""

    number: int
    given: Mapping[str, Any]
    group: str


@dataclass(frozen=True, slots=True)
class Bank:
    """A file's rows.

    Args:
        malformed: what is wrong → how many rows are, each counted once.
        kinds: kind of answer → how many playable rows have it.
    """

    name: str
    experiment: str
    rows: tuple[Row, ...]
    malformed: Mapping[str, int]
    kinds: Mapping[str, int]

    def in_turn(self) -> list[Row]:
        """All rows, the groups taking turns, each in the order of the file."""
        groups: dict[str, list[Row]] = {}
        for row in self.rows:
            groups.setdefault(row.group, []).append(row)
        turns = range(max(map(len, groups.values()), default=0))
        return [rows[turn] for turn in turns for rows in groups.values() if turn < len(rows)]


class _MalformedError(Exception):
    """A row that cannot be played; its text says why, alike for all such rows."""


@lru_cache(maxsize=8)
def read_bank(path: Path, changed_ns: int) -> Bank:
    """The rows of a file of JSON lines or of one JSON list, gzipped or not.

    What a row is given names the bank by what the file holds, wherever it lies.

    Args:
        changed_ns: the file's time of change: what is remembered is forgotten with it.

    Raises:
        ValueError: the file is none of the known banks; the text says which there are.
        OSError: it cannot be read.
    """
    del changed_ns
    raw = path.read_bytes()
    name = f"published {sha256(raw).hexdigest()[:12]}"
    content = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    try:
        whole = content.lstrip().startswith("[")
        records = (
            json.loads(content)
            if whole
            else [json.loads(line) for line in content.splitlines() if line.strip()]
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from error
    experiment, parse = _format_of(records)
    rows, malformed, kinds = [], Counter[str](), Counter[str]()
    for number, record in enumerate(records):
        try:
            given, group, row_kinds = parse(number, record)
        except _MalformedError as problem:
            malformed[str(problem)] += 1
        except (KeyError, TypeError, AttributeError):
            malformed["a field is missing or of another type"] += 1
        else:
            rows.append(Row(number, {**given, "bank": name}, group))
            kinds.update(row_kinds)
    return Bank(path.name, experiment, tuple(rows), dict(malformed), dict(kinds))


def key_of(answer: object) -> Key:
    """A key of the kind its text shows."""
    text = _WORDY.sub("", str(answer).strip()).strip().rstrip(".")
    if not text:
        raise _MalformedError("no answer")
    return Key(text, _kind_of(text))


def _kind_of(text: str) -> Kind:
    words = text.split()
    if text.casefold() in _YES_NO:
        return "boolean"
    if re.fullmatch(r"[A-H]\)?", text):
        return "letter"
    if re.fullmatch(
        r"\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?", text, re.IGNORECASE
    ):
        return "time" if clock_times(text) else "text"
    if "," in text and re.fullmatch(r"[\[(]?[^,]{1,12}(?:,\s+[^,]{1,12})+[\])]?", text):
        return "sequence"
    if len(quantities(text)) == 1 and re.match(r"[-−$€£(]?\s?[\d.]", text) and len(words) <= 3:
        return "number"
    return "open" if len(words) > LONGEST_KEY_WORDS else "text"


def _question(
    item_id: str, record: Mapping[str, Any], domain: str, text: str, answer: object
) -> Question:
    if domain not in DOMAINS:
        raise _MalformedError("an unknown domain")
    if not isinstance(text, str) or not text.strip():
        raise _MalformedError("no text")
    if _LEAKED.search(text) or _LEAKED.search(str(answer)):
        raise _MalformedError("the key is part of the text")
    difficulty = record.get("difficulty")
    key = key_of(answer)
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


def _given(question: Question, *domains: str, **fields: object) -> dict[str, Any]:
    return {"question": asdict(question), "domains": list(domains), "fields": fields}


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
        surface_domain=record["surface_domain"],
        hidden_dependency=record["hidden_dependency"],
    )
    return given, domain, [question.key.kind]


def _pair_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    a, b = record["domain_a"], record["domain_b"]
    answer = record["component_b"]["correct_answer"]
    question = _question(str(number), record, a, record["task_text"], answer)
    joint = asdict(question) | {"domain": f"{a} × {b}"}
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
    trial = {name: asdict(question) for name, question in tasks.items()} | {
        "item_id": record["trial_id"],
        "true_feedback": record["phase_b_feedback"],
        "false_feedback": record["phase_b_false_feedback"],
    }
    return {"trial": trial}, record["burn_domain"], [q.key.kind for q in tasks.values()]


def _premise_row(number: int, record: Mapping[str, Any]) -> _Parsed:
    flawed = "flawed_prompt" in record
    premise = {
        "item_id": record["id"],
        "domain": record["domain"],
        "flaw": record["category"],
        "flawed": flawed,
        "text": record["flawed_prompt" if flawed else "control_prompt"],
        "correction": [],
    }
    return {"premise": premise}, record["category"], ["open"]


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
        "item_id": record["task_id"],
        "scene": record["task_text"],
        "one": asdict(one),
        "two": asdict(two),
    }
    given = {"parts": parts, "task_set": record["task_type"], "target": record["target_model"]}
    return given, f"{one.domain}.{two.domain}", [one.key.kind, two.key.kind]


_Parse = Callable[[int, Mapping[str, Any]], _Parsed]
_FORMATS: Mapping[str, tuple[str, _Parse]] = MappingProxyType(
    {
        "question_text": ("exp1", _atlas_row),
        "source_domain": ("exp2", _transfer_row),
        "component_a": ("exp3", _pair_row),
        "burn_domain": ("exp4", _trial_row),
        "flawed_prompt": ("exp6b", _premise_row),
        "control_prompt": ("exp6b", _premise_row),
        "part1_text": ("exp9", _parts_row),
    }
)
"""A field that only one format has → its experiment and its parser."""


def _format_of(records: object) -> tuple[str, _Parse]:
    if isinstance(records, list) and records and isinstance(records[0], dict):
        for field, found in _FORMATS.items():
            if field in records[0]:
                return found
    raise ValueError(f"no bank: its first record has none of {', '.join(_FORMATS)}")
