"""Prints the contents of a published bank's file, or of the generated bank, for a person.

    python -m mirror_ray.families.metacog.bank_report generated python -m
    mirror_ray.families.metacog.bank_report questions.jsonl.gz …

docs/metacog.md says what the columns mean.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mirror_ray.core.errors import UnfitError
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.bank_contents import Contents, contents_of
from mirror_ray.families.metacog.items import GENERATED
from mirror_ray.families.metacog.levels.bank import SUBCATEGORIES, level_question, question_at
from mirror_ray.families.metacog.published import Bank, read_bank

_N = 600
_HEADER = (
    f"{'':26}{'N':>5}{'DUP':>5}{'CONTRA':>7}{'SKEL':>6}{'YES':>6}{'LETTER':>7}{'DIGIT':>6}"
    f"{'SOLVED':>11}"
)

Agrees = Callable[[Question], bool | None]


def main(paths: Sequence[str], agrees: Agrees | None = None) -> int:
    """Print each bank's report; return 2 if a file cannot be read as a bank; `agrees`: whether an
    independent solver finds a key; None if it cannot tell."""
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
    """Return lines on a file: rows by domain, kinds of answer, malformed rows, its contents."""
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
