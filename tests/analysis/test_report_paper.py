"""`report --paper`: every table of a paper over a run, with the printed values under its own."""

from pathlib import Path

import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.files import Choices, write_report
from mirror_ray.analysis.report.paper import paper_sections
from mirror_ray.analysis.report.section import Figure, ReportTable
from mirror_ray.analysis.report.shown import table_text
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli.report import _check_paper
from mirror_ray.core.errors import SweepError
from support.analysis.textmirror_runs import Answered, write_textmirror_run

GROK, GEMINI = "xai/grok-2-1212", "gemini/gemini-2.0-flash-001"
READ = [Answered(GROK, GEMINI, predicted=1 + seed % 2, scene_seed=seed) for seed in range(4)]
OTHER = [Answered("a", "b", scene_seed=seed) for seed in range(2)]


def test_a_value_has_the_printed_one_below_it(tmp_path: Path) -> None:
    with open_run(write_textmirror_run(tmp_path, READ), hold=True) as connection:
        (section,) = paper_sections(Reading(connection), "textmirror")
    figure, *_ = section.parts
    assert isinstance(figure, Figure)
    tables = {part.title: part for part in section.parts if isinstance(part, ReportTable)}
    views = {f"paper.{one.name}" for one in sql_files() if one.view.startswith("paper.textmirror")}
    assert set(tables) < views
    for view in views - set(tables):
        assert view in section.text
    seen = table_text(tables["paper.textmirror_recognition"])
    headings = [column.heading for column in seen.columns]
    [row] = seen.groups[0][1]
    cell = row[headings.index("accuracy")]
    assert (cell.text, cell.small) == ("0.5", "paper 0.55")
    assert (row[headings.index("m1")].text, row[headings.index("p")].small) == (GROK, "")


def test_models_that_the_paper_does_not_have_get_no_figure(tmp_path: Path) -> None:
    with open_run(write_textmirror_run(tmp_path, OTHER), hold=True) as connection:
        (section,) = paper_sections(Reading(connection), "textmirror")
    assert all(isinstance(part, ReportTable) for part in section.parts)
    assert "No model or setting of this run is one that the paper prints" in section.text


@pytest.mark.usefixtures("undrawn")
def test_the_page_is_next_to_the_runs_report(tmp_path: Path) -> None:
    run = write_textmirror_run(tmp_path, READ)
    written = write_report(run, choices=Choices(paper="textmirror"))
    assert written.files[0] == f"{run}/report/paper_textmirror/index.html"
    text = Path(written.files[0]).read_text()
    assert "paper 0.55" in text
    # The whole report leaves it where it is.
    write_report(run)
    assert Path(written.files[0]).read_text() == text


def test_a_family_that_was_not_played_is_refused(tmp_path: Path) -> None:
    run = write_textmirror_run(tmp_path, OTHER)
    with pytest.raises(SweepError, match=r"(?s)'flipset'.*paper has tables: textmirror"):
        _check_paper("flipset", [run])
    _check_paper("textmirror", [run])
