"""docs/papers.md names views, sweeps, figures, rosters and tests that exist."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirror_ray.analysis.sql_files import sql_files

ROOT = Path(__file__).parents[2]
PAGE = re.sub(
    r"^```.*?^```$", "", (ROOT / "docs/papers.md").read_text(encoding="utf-8"), flags=re.M | re.S
)
FAMILIES = ("selfid", "flipset", "mirrorqa", "textmirror", "metacog")
VIEWS = {file.view for file in sql_files()}
TESTS = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}
_NAMED = re.compile(r"`([^`]+)`")
_VIEW = re.compile(r"(?:paper|metric|summary|agency|ablation|contrast|twin|episode)\.[a-z0-9_]+")
_FIGURE = re.compile(rf"(?:{'|'.join(FAMILIES)})_[a-z0-9_]+")


def _rows() -> Iterator[list[str]]:
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "what":
            yield cells


def _figures() -> str:
    """All names of figures in the families' sections."""
    paths = [
        path
        for family in FAMILIES
        for path in (ROOT / "mirror_ray/families" / family / "sections").iterdir()
        if path.suffix in (".py", ".yaml")
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_every_name_exists() -> None:
    figures = _figures()
    models = (ROOT / "sweeps/models.yaml").read_text(encoding="utf-8")
    absent = []
    for name in _NAMED.findall(PAGE):
        if _VIEW.fullmatch(name):
            found = name in VIEWS
        elif name.startswith("test_") and "…" not in name:
            found = name in TESTS
        elif name.startswith(("sweeps/", "docs/")):
            found = (ROOT / name).exists()
        elif name.startswith("roster/"):
            found = f"\n  {name.removeprefix('roster/')}:" in models.partition("\nrosters:")[2]
        elif _FIGURE.fullmatch(name):
            found = name in figures
        else:
            continue
        if not found:
            absent.append(name)
    assert not absent


@pytest.mark.parametrize("family", FAMILIES)
def test_every_table_of_a_paper_is_on_the_page(family: str) -> None:
    views = {view for view in VIEWS if re.fullmatch(rf"paper\.{family}(?:_\w+)?", view)}
    assert len(views) > 1
    named = set(_NAMED.findall(PAGE))
    assert sorted(views - named) == []


def test_every_row_says_whether_it_is_as_printed_and_what_proves_it() -> None:
    rows = list(_rows())
    assert len(rows) > 60
    for row in rows:
        assert len(row) == 4, row
        what, _, printed, test = row
        assert printed[0] in "✓≠–", what
        # What is missing has a reason; all else has a test.
        assert len(printed) > 3 if printed[0] == "–" else test, what


def test_a_view_is_read_by_the_test_that_recomputes_it() -> None:
    for _, here, _, tests in _rows():
        for test in _NAMED.findall(tests):
            if test.endswith("_recomputed"):
                text = TESTS[test].read_text(encoding="utf-8")
                views = [name for name in _NAMED.findall(here) if _VIEW.fullmatch(name)]
                assert all(
                    view in text or f'"{view.rpartition("_")[2]}"' in text for view in views
                ), (test, views)
