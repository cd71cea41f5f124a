"""selfid's section of a report: task success beside chance, standard errors, odd runs."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report import section_file
from mirror_ray.analysis.report.section import Figure, ReportTable, Section
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.selfid.sections import metrics as selfid_metrics
from mirror_ray.families.selfid.sections import section as selfid
from mirror_ray.families.selfid.sections import thresholds as selfid_thresholds
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.whole import mostly_thorough

of_process = section_file.section_of("mirror_ray.families.selfid.sections.process")
RIGHT = Played(moments("w unknown 60", "w red 60", "done red 60 red"))
WRONG = Played(moments("w gray 0", "w blue 60", "done blue 60 blue"))
OPEN = replace(RIGHT, condition="E5", cubes=())


def in_places(played: Iterable[Played]) -> list[Played]:
    return [replace(one, scene_seed=place) for place, one in enumerate(played)]


def section_of(directory: Path, *played: Played, module: Any = selfid) -> Section:
    with open_run(write_run(directory, in_places(played)), hold=True) as connection:
        found = module.section(Reading(connection))
    assert found is not None
    return found


def part(section: Section, name: str) -> Any:
    return next(one for one in section.parts if one.name == name)


def test_task_success_has_intervals_and_the_mark_of_chance_where_there_is_one(
    tmp_path: Path,
) -> None:
    figure = part(section_of(tmp_path, RIGHT, RIGHT, WRONG, OPEN), "selfid_task_success")
    assert isinstance(figure, Figure)
    chart = json.dumps(figure.chart, ensure_ascii=False)
    # Wilson's interval of 2 in 3, and one cube of three.
    assert '"at": 0.3333333333333333' in chart
    assert chart.count('"at": ') == 1
    assert "E1: TSA .67 (.21–.94), n = 3" in chart
    assert "E5: TSA 1.00" in chart


def test_a_table_shows_the_standard_error(tmp_path: Path) -> None:
    table = part(section_of(tmp_path, RIGHT, RIGHT, WRONG, module=selfid_metrics), "selfid_summary")
    assert isinstance(table, ReportTable)
    (row,) = table.data.to_pylist()
    # sd of (1, 1, 0) is √(1/3); over √3 that is 1/3.
    assert row["tsa_se"] == pytest.approx(1 / 3)
    shown = next(column for column in table.columns if column.heading == "TSA").show(row)
    assert shown.text == ".67 ± .33"


def test_what_identifications_say_is_a_table(tmp_path: Path) -> None:
    table = part(section_of(tmp_path, WRONG, module=selfid_metrics), "selfid_claims")
    (row,) = table.data.to_pylist()
    assert (row["off palette"], row["palette"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    # A share of steps that are all known: what none says is 0, not undefined.
    assert (row["nothing yet"], row["something else"], row["unread"]) == (0, 0, 0)


@pytest.mark.parametrize(
    "played",
    mostly_thorough(
        2,
        [[replace(WRONG, condition="E2")], scenes(replace(RIGHT, error_kind="server"), 2), [OPEN]],
    ),
    ids=["no mirror", "all failed", "open-ended"],
)
def test_a_run_where_much_is_undefined_has_a_section(played: list[Played], tmp_path: Path) -> None:
    with open_run(write_run(tmp_path, in_places(played)), hold=True) as connection:
        for make in (selfid.section, selfid_metrics.section, of_process, selfid_thresholds.section):
            found = make(Reading(connection))
            for one in found.parts if found else ():
                if isinstance(one, Figure):
                    assert vegalite_to_vega(one.chart)


def test_panels_and_figures_in_which_nothing_is_defined_are_not_drawn(tmp_path: Path) -> None:
    silent = Played(moments("w unknown 60", "w unknown 60"), condition="E1")
    run = write_run(tmp_path, [silent])
    with open_run(run, hold=True) as connection:
        found, process = (make(Reading(connection)) for make in (selfid.section, of_process))
    assert "Not drawn, because nothing in it is defined" in part(found, "selfid_heat_map").text
    assert "SC · corrected itself" in part(found, "selfid_heat_map").text
    assert process is not None
    assert "selfid_repeated_statements" not in [one.name for one in process.parts]
