"""What a report says of seeds, temperatures, thresholds, and of settings that say nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across import comparisons, costs, headlines, provenance
from mirror_ray.analysis.report.across.thresholds import meanings
from mirror_ray.analysis.report.contents import report_heading
from mirror_ray.analysis.report.section import ReportTable, Section
from mirror_ray.analysis.report.shown import TableText, table_text
from mirror_ray.analysis.sql_files import default_values
from mirror_ray.analysis.warehouse import open_run
from support.analysis.metacog_runs import varied_answers, write_metacog_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"), condition="E1", model="lab/a")


def seen(section: Section | None, name: str) -> TableText:
    assert section is not None
    table = next(part for part in section.parts if part.name == name)
    assert isinstance(table, ReportTable)
    return table_text(table)


def said(one: TableText) -> list[list[str]]:
    return [[cell.text for cell in row] for _, rows in one.groups for row in rows]


@pytest.mark.parametrize(
    ("seeds", "text"),
    [([0, 1, 2], "0–2"), ([0, 1, 2, 5, 7, 8], "0–2, 5, 7–8"), ([3], "3"),
     (list(range(0, 60, 2)), ", ".join(map(str, range(0, 40, 2))) + ", …")],
)  # fmt: skip
def test_seeds_are_said_as_ranges(seeds: list[int], text: str, tmp_path: Path) -> None:
    played = [replace(RIGHT, scene_seed=seed) for seed in seeds]
    with open_run(write_run(tmp_path, played), hold=True) as connection:
        table = seen(provenance.section(Reading(connection)), "how_scenes")
    (row,) = said(table)
    place = [column.heading for column in table.columns].index("scene seeds")
    assert row[place] == text


@pytest.mark.parametrize(
    ("temperature", "text"),
    [([None], "the provider's own"), ([0.2, None], "0.2, the provider's own"), ([0], "0")],
)
def test_a_temperature_that_is_not_sent_is_the_providers(
    temperature: list[Any], text: str, tmp_path: Path
) -> None:
    stage = {"family": "selfid", "conditions": ["E1"], "seeds": 1, "temperature": temperature}
    manifest = {"schema_version": 3, "runs": [], "sweep": {"stages": [stage]}}
    with open_run(write_run(tmp_path, [RIGHT]), hold=True) as connection:
        section = provenance.section(Reading(connection, manifest=manifest))
    (row,) = said(seen(section, "how_stages"))
    assert text in row


def test_every_threshold_has_a_meaning() -> None:
    assert meanings().keys() == default_values().keys()


def test_thresholds_are_those_of_the_families_and_those_that_were_set(tmp_path: Path) -> None:
    with open_run(write_run(tmp_path, [RIGHT]), hold=True) as connection:
        plain, own = (
            {row[0] for row in said(seen(provenance.section(reading), "how_thresholds"))}
            for reading in (Reading(connection), Reading(connection, settings={"weak_below": 0.5}))
        )
    assert {"mirror_px_threshold", "near_radius_m"} <= plain
    assert "weak_below" not in plain
    assert own == plain | {"weak_below"}


def test_settings_that_do_not_define_the_metric_are_counted_and_not_shown(tmp_path: Path) -> None:
    with open_run(write_metacog_run(tmp_path, varied_answers()), hold=True) as connection:
        section = headlines.section(Reading(connection))
    table = seen(section, "headline_metacog")
    assert (
        "rows are not shown: there no condition has an episode that defines accuracy." in table.note
    )
    assert not any("feedback" in heading for heading, _ in table.groups)
    assert all(any(cell != "–" for cell in row[1:]) for row in said(table))


def test_a_model_alone_is_not_ranked(tmp_path: Path) -> None:
    played = [
        *scenes(RIGHT, 3),
        *scenes(replace(RIGHT, model="lab/b"), 3),
        *scenes(replace(RIGHT, condition="E3"), 3),
    ]
    with open_run(write_run(tmp_path, played), hold=True) as connection:
        section = comparisons.section(Reading(connection))
    table = seen(section, "ranking_selfid")
    assert [heading.partition(" ")[0] for heading, _ in table.groups] == ["E1"]
    assert table.note == "1 further row is not shown: there one model alone was played."
    assert section is not None
    figure = next(part for part in section.parts if part.name == "models_selfid")
    assert "best" in str(figure.chart)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("planned", "said"),
    [(None, "0 with an error"), (3, "0 with an error"), (8, "of 8 planned, 0 with an error")],
)
def test_of_a_run_that_has_not_ended_it_is_said_how_many_there_will_be(
    planned: int | None, said: str, tmp_path: Path
) -> None:
    with open_run(write_run(tmp_path, scenes(RIGHT, 3)), hold=True) as connection:
        _, _, (episodes, *_) = report_heading(Reading(connection), planned)
    assert said in str(episodes)
    assert ("planned" in str(episodes)) == ("planned" in said)


def test_of_what_was_spent_in_vain_each_cost_has_its_own_heading(tmp_path: Path) -> None:
    with open_run(write_run(tmp_path, [RIGHT]), hold=True) as connection:
        section = costs.section(Reading(connection))
    assert section is not None
    table = next(part for part in section.parts if part.name == "spending")
    assert isinstance(table, ReportTable)
    headings = [column.heading for column in table.columns]
    assert len(set(headings)) == len(headings)


def test_many_models_are_in_the_order_of_their_means(tmp_path: Path) -> None:
    wrong = replace(RIGHT, moments=moments("done red 0 blue"))
    played = [
        replace(
            RIGHT if scene < n else wrong,
            model=f"lab/m-{n:02d}",
            scene_seed=scene,
            condition=condition,
        )
        for n in range(32)
        for condition in ("E1", "E4")
        for scene in range(0, 32, 4)
    ]
    with open_run(write_run(tmp_path, played), hold=True) as connection:
        section = headlines.section(Reading(connection))
    table = seen(section, "headline_selfid")
    names = [row[0] for row in said(table)]
    assert names[:3] == ["lab/m-29", "lab/m-30", "lab/m-31"]
    assert names[-1] == "lab/m-00"
