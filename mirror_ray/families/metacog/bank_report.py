"""Prints a readable summary of a published bank's file, or of the generated bank.

    python -m mirror_ray.families.metacog.bank_report generated
    python -m mirror_ray.families.metacog.bank_report questions.jsonl.gz …

docs/metacog.md says what the columns mean."""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mirror_ray.core.errors import UnfitError
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.metacog.bank.facts import (
    CAPITALS,
    DATED_EVENTS,
    ELEMENTS,
    KNOWN_COUNTS,
    WORKS,
)
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.bank.words import DAYS, JOBS, LEVELS, NAMES, THINGS
from mirror_ray.families.metacog.items import GENERATED
from mirror_ray.families.metacog.levels.bank import SUBCATEGORIES, level_question, question_at
from mirror_ray.families.metacog.published import Bank, read_bank

Solver = Callable[[str], object]
_N = 600
_HEADER = (
    f"{'':26}{'N':>5}{'DUP':>5}{'CONTRA':>7}{'SKEL':>6}{'YES':>6}{'LETTER':>7}{'DIGIT':>6}"
    f"{'SOLVED':>11}"
)

Agrees = Callable[[Question], bool | None]


def _drawn() -> "re.Pattern[str]":
    words = {*NAMES, *THINGS, *JOBS, *DAYS, *(name for _, _, name in ELEMENTS)}
    words |= {part for country, capital, _ in CAPITALS for part in (country, capital)}
    words |= {name for name, _ in (*DATED_EVENTS, *KNOWN_COUNTS)}
    words |= {part for work, author, _ in WORKS for part in (work, author)}
    words |= {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}
    words |= {"north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest"}
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"\b(?:an? |the )?(?:{either})(?:s|'s)?\b|\b[A-Z]\w+(?= |,|'s)(?<!^)")


_DRAWN = _drawn()
_QUOTED = re.compile(r"“[^”]{1,24}”")
_NUMBER = re.compile(r"-?\d[\d.,:]*")
_RUN = re.compile(r"_(?:(?:, | and |; | – |, and )_)+")
_SENTENCES = re.compile(r"[.;:?!]\s+|\n|, then ")


def skeleton(text: str) -> str:
    """Return the template of a question. Numbers, names and drawn words are masked, and each
    pattern of a sentence counts once, in no order. Two questions with one skeleton are the same
    task with other contents."""
    masked = _NUMBER.sub("#", _DRAWN.sub("_", _QUOTED.sub("_", text)))
    return " | ".join(
        sorted({_RUN.sub("_", part).strip(" .?!:;") for part in _SENTENCES.split(masked)})
    )


@dataclass(frozen=True, slots=True)
class Contents:
    """Counts of some questions.

    Args:
        duplicates: questions whose text occurred earlier.
        contradictions: texts that come with more than one key.
        skeletons: distinct templates.
        yes: the share of yes among yes-or-no answers; None without such answers.
        letter, digit: the largest share of a letter among lettered answers, and of a last digit
            among whole numbers, relative to an even share (1); None if there are none.
        levels: level → number of its questions; empty in a bank without levels.
        agreed, solved: questions whose key a solver found, and those that it tried.
    """

    n: int
    duplicates: int
    contradictions: int
    skeletons: int
    yes: float | None
    letter: float | None
    digit: float | None
    levels: dict[int, int]
    agreed: int = 0
    solved: int = 0


def contents_of(
    questions: Iterable[Question], agrees: Callable[[Question], bool | None] | None = None
) -> Contents:
    """Count the questions' contents. `agrees` says whether an independent solver finds the key;
    None without a solver."""
    listed = list(questions)
    keys = defaultdict(set)
    for question in listed:
        keys[" ".join(question.text.split())].add(question.key.answer.casefold())
    booleans = [_is_yes(q.key.answer) for q in listed if q.key.kind == "boolean"]
    verdicts = [agrees(question) for question in listed] if agrees else []
    return Contents(
        n=len(listed),
        duplicates=len(listed) - len(keys),
        contradictions=sum(len(answers) > 1 for answers in keys.values()),
        skeletons=len({skeleton(question.text) for question in listed}),
        yes=booleans.count(True) / len(booleans) if booleans else None,
        letter=_letters(listed),
        digit=_digits(listed),
        levels=dict(sorted(Counter(q.level for q in listed if q.level is not None).items())),
        agreed=verdicts.count(True),
        solved=len(verdicts) - verdicts.count(None),
    )


def _is_yes(answer: str) -> bool:
    return answer.casefold().startswith(("yes", "true"))


def _letters(questions: Sequence[Question]) -> float | None:
    lettered = [q for q in questions if q.key.kind == "letter"]
    if not lettered:
        return None
    expected: Counter[str] = Counter()
    for question in lettered:
        for letter in question.key.options:
            expected[letter] += 1 / len(question.key.options)  # type: ignore[assignment]
    found = Counter(question.key.answer for question in lettered)
    often = [letter for letter in expected if expected[letter] >= 5]
    return max((found[letter] / expected[letter] for letter in often), default=None)


def _digits(questions: Sequence[Question]) -> float | None:
    """Return the largest share of a last digit, relative to an even distribution. Only whole
    numbers of at least 10 count, because smaller ones are counts and start at 0 or 1."""
    whole = [
        q.key.answer[-1]
        for q in questions
        if q.key.kind == "number" and re.fullmatch(r"-?\d{2,}", q.key.answer)
    ]
    return 10 * max(Counter(whole).values()) / len(whole) if len(whole) >= 50 else None


def main(paths: Sequence[str], agrees: Agrees | None = None) -> int:
    """Print each bank's report; return 2 if a file cannot be read as a bank. `agrees` says whether
    an independent solver finds a key; None if it cannot tell."""
    for path in paths or [GENERATED]:
        if path == GENERATED:
            print("\n".join(generated_report(agrees)))
            continue
        try:
            print(report(read_bank(Path(path), Path(path).stat().st_mtime_ns)))
        except (OSError, UnfitError) as problem:
            print(f"{path}: {problem}", file=sys.stderr)
            return 2
    return 0


def generated_report(agrees: Agrees | None = None, n: int = _N) -> Iterator[str]:
    """Return lines on the generated bank's contents, n questions of each domain over all levels."""
    yield f"{GENERATED}: {n} questions a domain, {LEVELS} levels in turn"
    yield _HEADER
    for domain, subcategories in SUBCATEGORIES.items():
        of_each = n // len(subcategories)
        drawn = {
            sub: [
                level_question("exp1", domain, sub, 1 + i % LEVELS, i // LEVELS)
                for i in range(of_each)
            ]
            for sub in subcategories
        }
        together = [question for questions in drawn.values() for question in questions]
        yield _line(domain, contents_of(together, agrees))
        for sub, questions in drawn.items():
            yield _line(f"  {sub}", contents_of(questions, agrees))
    yield "levels: what grows"
    for domain, kinds in shipped_yaml("mirror_ray.families.metacog.levels", "grows.yaml").items():
        for sub, grows in kinds.items():
            yield f"  {domain}.{sub}: {grows}"
    yield "the first of experiment 1"
    yield _line("", contents_of(question_at("exp1", index) for index in range(n)))


def _line(name: str, found: Contents) -> str:
    solved = f"{found.agreed}/{found.solved}" if found.solved else "–"
    return (
        f"{name:26}{found.n:>5}{found.duplicates:>5}{found.contradictions:>7}{found.skeletons:>6}"
        f"{_share(found.yes):>6}{_share(found.letter):>7}{_share(found.digit):>6}{solved:>11}"
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def report(bank: Bank) -> str:
    """Return lines on a file: rows by domain, kinds of answer, malformed rows, and contents."""
    groups = Counter(row.group.partition(".")[0] for row in bank.rows)
    lines = [
        f"{bank.name}: {bank.experiment}, {len(bank.rows)} rows that can be played",
        f"  by domain: {_counted(groups)}",
        f"  by kind of answer: {_counted(bank.kinds)}",
    ]
    if bank.malformed:
        lines.append(f"  left out: {_counted(bank.malformed)}")
    if questions := list(_questions(bank)):
        lines += [_HEADER, _line("  all", contents_of(questions))]
        singles = {question.domain for question in questions if " × " not in question.domain}
        for domain in sorted(singles):
            some = [question for question in questions if question.domain == domain]
            lines.append(_line(f"  {domain}", contents_of(some)))
    return "\n".join(lines)


def _questions(bank: Bank) -> Iterable[Question]:
    for row in bank.rows:
        given = row.given
        held = [given, *(given[name] for name in ("parts", "trial") if name in given)]
        for part in held:
            for name in ("question", "one", "two", "baseline", "burn", "related", "unrelated"):
                if name in part:
                    yield Question.from_facts(part[name])


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
