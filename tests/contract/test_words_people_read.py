"""One word, one thing, wherever a person reads it: a technical end is an error, an answer is right
or wrong, an attempt may have failed; a failure is a column, and metacog's published term."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAID_IN = (
    "mirror_ray/cli",
    "mirror_ray/viewer",
    "mirror_ray/engine/driver",
    "mirror_ray/people",
    "mirror_ray/records/run_state.py",
    "mirror_ray/replay/film",
    *(
        path.relative_to(ROOT).as_posix()
        for part in ("tables.py", "sections")
        for path in sorted(ROOT.glob(f"mirror_ray/families/*/{part}"))
    ),
    "analysis/report",
    "analysis/summary.py",
)
READ = (
    *("README.md", "AGENTS.md", "SECURITY.md"),
    *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))),
    *(
        path.relative_to(ROOT).as_posix()
        for where in (
            "mirror_ray/*/templates/*.html",
            "analysis/report/*.html",
            "mirror_ray/families/*/sections/*.yaml",
            "mirror_ray/families/*/family.yaml",
            "mirror_ray/families/*/metrics.yaml",
            "mirror_ray/families/*/parameters.yaml",
            "analysis/report/*/*.yaml",
            "mirror_ray/cli/*.yaml",
        )
        for path in sorted(ROOT.glob(where))
    ),
)  # fmt: skip
OTHERWISE_SAID = re.compile(
    r"\bfailed episodes?\b|\bepisodes?( that| have| has| had| which)* fail(ed|s)?\b"
    r"|(\}|\d|\bnone|,) failed\b(?! attempt)|\bfailed (ones?|row)\b|\bhow \w+ fails?\b"
    r"|\bwhere it fails\b|\bkinds? of failure\b|\bfinished (episodes?|ones?)\b",
    re.IGNORECASE,
)


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """What may be printed: not docstrings, which their authors read."""
    silent = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Expr)}
    for one in ast.walk(node):
        if isinstance(one, ast.JoinedStr):
            parts = (
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in one.values
            )
            yield one.lineno, "".join(parts)
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in silent:
            yield one.lineno, one.value


def _programs() -> list[Path]:
    found = []
    for name in SAID_IN:
        place = ROOT / name
        found += [place] if place.is_file() else sorted(place.rglob("*.py"))
    return found


def test_what_programs_say_calls_a_technical_end_an_error() -> None:
    read, found = 0, []
    for file in _programs():
        for number, text in _texts(ast.parse(file.read_text(encoding="utf-8"))):
            read += 1
            if "select" not in text and OTHERWISE_SAID.search(text):
                found.append(f"{file.relative_to(ROOT)}:{number}: {text}")
    assert read > 1_000
    assert found == []


def test_what_is_written_for_people_does_so_too() -> None:
    found = [
        f"{name}: {match[0]}"
        for name in READ
        for match in OTHERWISE_SAID.finditer((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert len(READ) > 40
    assert found == []


@pytest.mark.parametrize(
    "said",
    [
        "3 failed episodes",
        "{} failed,",
        "How episodes fail",
        "none failed",
        "every finished episode",
    ],
)
def test_the_words_are_found(said: str) -> None:
    assert OTHERWISE_SAID.search(said)


@pytest.mark.parametrize("said", ["2 failed attempts", "{} failed attempts", "confident failures"])
def test_an_attempt_may_fail(said: str) -> None:
    assert not OTHERWISE_SAID.search(said)
