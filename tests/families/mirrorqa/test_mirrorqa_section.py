"""MirrorQA's sections of the report: what they show of a run, and nothing of a run without it."""

from pathlib import Path

import pytest
from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import interval_text, share_text
from mirror_ray.analysis.report.section import Figure, ReportTable, Section, TableCell
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.mirrorqa.sections import SECTIONS
from mirror_ray.families.mirrorqa.sections import section as mirrorqa
from support.analysis.mirrorqa_runs import Asked, varied_questions, write_mirrorqa_run
from support.analysis.synthetic_runs import Played, moments, write_run


def shown(section: Section | None, name: str) -> list[dict[str, str]]:
    """A table's cells as a reader sees them: what stands in a cell, and under it."""
    assert section is not None
    table = next(part for part in section.parts if part.name == name)
    assert isinstance(table, ReportTable)
    cells = [
        [(column.heading, column.show(row)) for column in table.columns]
        for row in table.data.to_pylist()
    ]
    return [{heading: _said(one) for heading, one in row} for row in cells]


def _said(cell: TableCell) -> str:
    n = "" if cell.n is None else f"n={cell.n}"
    return " ".join(filter(None, (cell.text, cell.small, n)))


@pytest.mark.thorough("analysis/test_report_page.py draws a whole page")
def test_every_part_can_be_drawn_and_read(tmp_path: Path) -> None:
    with open_run(write_mirrorqa_run(tmp_path, varied_questions()), hold=True) as connection:
        sections = [section(Reading(connection)) for section in SECTIONS]
        parts = [part for section in sections if section is not None for part in section.parts]
        names = [part.name for part in parts]
        assert len(set(names)) == len(names)
        assert {"mirrorqa_frames", "mirrorqa_parts_sim", "mirrorqa_reflection"} <= set(names)
        for part in parts:
            if isinstance(part, Figure):
                assert vegalite_to_vega(part.chart)
            if isinstance(part, ReportTable):
                assert part.data.num_rows > 0
                rows = [[column.show(row).text for column in part.columns] for row in _rows(part)]
                assert all(any(text != "–" for text in texts) for texts in rows)
            assert connection.execute(part.sql).fetchall()


def _rows(table: ReportTable) -> list[dict[str, object]]:
    return list(table.data.to_pylist())


def test_leanings_show_frames_and_places(tmp_path: Path) -> None:
    """Who takes the viewer's side, and always the first place, of two questions of each frame."""
    questions = [
        Asked("left", ("left",), scene_seed=1, viewer="left"),
        Asked("left", ("left",), scene_seed=2, viewer="left"),
        Asked("right", ("left",), scene_seed=3, viewer="left"),
        Asked("right", ("left",), scene_seed=4, viewer="left"),
    ]
    with open_run(write_mirrorqa_run(tmp_path, questions), hold=True) as connection:
        (row,) = shown(mirrorqa.section(Reading(connection)), "mirrorqa_leanings")
    assert row["frames agree"].startswith("1.00")
    assert row["frames differ"].startswith(".00")
    assert row["confusion"].startswith("1.00")
    # Neither frame's answers differ among themselves: no spread, no interval.
    assert row["effect"] == "1.00 n=4"
    # All four first, of which two are right there.
    assert row["bias of 2"] == ".50 n=4"
    assert row["bias of 4"] == "–"


def test_twins_have_the_interval_of_paired_comparisons(tmp_path: Path) -> None:
    questions = [
        Asked("left", ("left", "left"), condition, scene_seed=seed, viewer="right")
        for seed in (1, 2, 3)
        for condition in ("sim", "sim-reflected")
    ]
    with open_run(write_mirrorqa_run(tmp_path, questions), hold=True) as connection:
        section = mirrorqa.section(Reading(connection))
        (row,) = shown(section, "mirrorqa_reflection")
        ((low, high),) = connection.sql(
            "select ci_low, ci_high from contrast.pairs "
            "where axis = 'condition' and metric = 'accuracy'"
        ).fetchall()
        scores = shown(section, "mirrorqa_summary")
    assert low < 0 < high
    assert row["difference"] == f".00 {interval_text(low, high, share_text)} n=3"
    assert [one["Δ"] for one in scores] == [".00 n=3"] * 2


def test_a_run_without_mirrorqa_has_no_such_sections(tmp_path: Path) -> None:
    with open_run(
        write_run(tmp_path, [Played(moments("done red 60 red"))]), hold=True
    ) as connection:
        assert [section(Reading(connection)) for section in SECTIONS] == [None, None]
