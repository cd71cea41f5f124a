"""FlipSet's sections of the report: what they show of a run, and nothing of a run without it."""

from pathlib import Path

import pytest
from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import interval_text, share_text
from mirror_ray.analysis.report.section import Figure, ReportTable
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.flipset.sections import SECTIONS
from support.analysis.flipset_runs import varied_answers, write_flipset_run
from support.analysis.synthetic_runs import Played, moments, write_run

_, controls_of, figures_of = SECTIONS


@pytest.mark.thorough("analysis/test_report_page.py draws a whole page")
def test_every_part_can_be_drawn_and_read(tmp_path: Path) -> None:
    with open_run(write_flipset_run(tmp_path, varied_answers()), hold=True) as connection:
        sections = [section(Reading(connection)) for section in SECTIONS]
        parts = [part for section in sections if section is not None for part in section.parts]
        names = [part.name for part in parts]
        assert len(set(names)) == len(names)
        assert {"flipset_answers", "flipset_classes", "flipset_composition"} <= set(names)
        assert {"flipset_parts", "flipset_egocentric_confusable", "flipset_orders"} <= set(names)
        for part in parts:
            if isinstance(part, Figure):
                assert vegalite_to_vega(part.chart)
            if isinstance(part, ReportTable):
                assert part.data.num_rows > 0
                cells = [
                    [column.show(row).text for column in part.columns]
                    for row in part.data.to_pylist()
                ]
                assert all(any(text != "–" for text in texts) for texts in cells)
            assert connection.execute(part.sql).fetchall()


def test_composition_shows_the_deficit(tmp_path: Path) -> None:
    with open_run(write_flipset_run(tmp_path, varied_answers()), hold=True) as connection:
        section = controls_of(Reading(connection))
        assert section is not None
        table = next(part for part in section.parts if part.name == "flipset_composition")
        assert isinstance(table, ReportTable)
        headings = [column.heading for column in table.columns]
        row = next(row for row in table.data.to_pylist() if row["model"] == "lab/a")
        shown = dict(
            zip(headings, (column.show(row).text for column in table.columns), strict=True)
        )
    deficit = row["l2_estimate"] - row["tom_estimate"] * row["mr_estimate"]
    assert row["deficit_estimate"] == pytest.approx(deficit)
    assert shown["deficit"].replace("−", "-") == f"{deficit:.2f}".replace("0.", ".", 1)


def test_figure_and_table_state_one_interval_of_a_share(tmp_path: Path) -> None:
    with open_run(write_flipset_run(tmp_path, varied_answers()), hold=True) as connection:
        run = Reading(connection)
        section = controls_of(run)
        assert section is not None
        table = next(part for part in section.parts if part.name == "flipset_composition")
        sections = figures_of(run)
        assert sections is not None
        figure = next(part for part in sections.parts if part.name == "flipset_parts")
        drawn = {row["model"]: row for row in run.rows(figure.sql)}
    assert isinstance(table, ReportTable)
    (l2,) = [column for column in table.columns if column.heading == "L2"]
    assert drawn
    for row in table.data.to_pylist():
        ends = tuple(drawn[row["model"]][f"l2_ci_{end}"] for end in ("low", "high"))
        assert ends == (row["l2_ci_low"], row["l2_ci_high"])
        assert l2.show(row).small == interval_text(*ends, share_text)


def test_a_run_without_flipset_has_no_such_sections(tmp_path: Path) -> None:
    with open_run(
        write_run(tmp_path, [Played(moments("done red 60 red"))]), hold=True
    ) as connection:
        reading = Reading(connection)
        assert [section(reading) for section in SECTIONS] == [None, None, None]
