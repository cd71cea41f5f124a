"""metacog's sections of the report: what they show of a run, and nothing of a run without it."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Figure, ReportTable
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.metacog.sections import agency as metacog_agency
from mirror_ray.families.metacog.sections import models as metacog_models
from mirror_ray.families.metacog.sections import section as metacog
from mirror_ray.families.metacog.sections import sensitivity as metacog_sensitivity
from mirror_ray.families.metacog.tables import tables
from support.analysis.metacog_runs import Posed, acted, varied_answers, write_metacog_run
from support.analysis.synthetic_runs import Played, moments, write_run

MODULES = (metacog, metacog_agency, metacog_models, metacog_sensitivity)
SIZES = {"lab/a": 8e9, "lab/b": 32e9, "lab/c": 70e9}


def played() -> list[Posed]:
    """Three sizes, and a weak part without an answer."""
    posed = varied_answers()
    posed += [replace(one, model="lab/c") for one in posed if one.model == "lab/a"]
    return [*posed, acted(9, ("arithmetic", "spatial"), ("proceed", "proceed"), (None, None))]


@pytest.mark.thorough("analysis/test_report_page.py draws a whole page")
def test_every_part_can_be_drawn_and_read(tmp_path: Path) -> None:
    run = write_metacog_run(tmp_path, played())
    with open_run(run, hold=True, variables={"model_sizes": SIZES}) as connection:
        sections = [module.section(Reading(connection)) for module in MODULES]
        parts = {part.name: part for found in sections if found is not None for part in found.parts}
        assert {
            "metacog_reliability",
            "metacog_knowing",
            "metacog_adapting",
            "metacog_attacks",
            "metacog_channels",
            "metacog_escalation",
            "metacog_gap_and_failures",
            "metacog_doing",
            "metacog_pooled",
            "metacog_index",
            "metacog_subcategories",
            "metacog_subcategory_correlations",
            "metacog_effects",
            "metacog_policies",
            "metacog_routing",
            "metacog_escalating",
            "metacog_resolver",
            "metacog_baselines",
            "metacog_missing",
            "metacog_scaling",
            "metacog_temperature",
        } == set(parts)
        for part in parts.values():
            if isinstance(part, Figure):
                assert vegalite_to_vega(part.chart)
            if isinstance(part, ReportTable):
                for row in part.data.to_pylist():
                    assert any(column.show(row).text != "–" for column in part.columns)


def test_models_of_one_spot_share_a_label(tmp_path: Path) -> None:
    with open_run(write_metacog_run(tmp_path, varied_answers()), hold=True) as connection:
        found = metacog_agency.section(Reading(connection))
    assert found is not None
    figure = next(part for part in found.parts if part.name == "metacog_gap_and_failures")
    assert isinstance(figure, Figure)
    drawn = str(figure.chart)
    assert "'a, b'" in drawn


def test_policies_and_metrics_are_in_words(tmp_path: Path) -> None:
    warmer = [replace(one, temperature=0.7) for one in varied_answers() if one.model == "lab/a"]
    run = write_metacog_run(tmp_path, [*varied_answers(), *warmer])
    with open_run(run, hold=True) as connection:
        agency, sensitivity = (
            module.section(Reading(connection)) for module in (metacog_agency, metacog_sensitivity)
        )
    assert agency is not None
    assert sensitivity is not None
    policies = next(part for part in agency.parts if part.name == "metacog_policies")
    changes = next(part for part in sensitivity.parts if part.name == "metacog_temperature")
    assert words_of(policies, "policy") == {
        *("median", "below .4", "below .5", "lowest 2", "lowest 3"),
        *("below weak_below", "lowest weak_lowest"),
    }
    metrics = words_of(changes, "metric")
    assert {"Brier", "CFR C1", "AI, true", "KDI", "natural"} <= metrics
    assert not any("_" in word for word in metrics)


def test_where_all_models_differ_alike_there_is_no_interval(tmp_path: Path) -> None:
    with open_run(write_metacog_run(tmp_path, varied_answers()), hold=True) as connection:
        found = connection.execute(
            "select difference, ci_low, ci_high, cohens_d, p "
            "from agency.metacog_parts_outcomes_effects where n_models > 1"
        ).fetchall()
    assert any(one[0] for one in found)
    assert {figure for one in found for figure in one[1:]} == {None}


def words_of(part: object, heading: str) -> set[str]:
    assert isinstance(part, ReportTable)
    column = next(column for column in part.columns if column.heading == heading)
    return {column.show(row).text for row in part.data.to_pylist()}


def test_the_pooled_curve_leaves_out_the_control_that_is_told_false_scores(tmp_path: Path) -> None:
    weak, went = ("arithmetic", "spatial"), ("proceed", "proceed")
    control = [
        acted(place, weak, went, (False, False), "C2", scores="false") for place in range(40, 44)
    ]
    told = [replace(one, facts={**one.facts, "scores": "own"}) for one in control]
    run = write_metacog_run(tmp_path, [*varied_answers(), *control, *told])
    with open_run(run, hold=True) as connection:
        asked = "select distinct information from agency.metacog_parts_outcomes"
        assert ("C2 false",) in connection.execute(asked).fetchall()
        found = metacog_models.section(Reading(connection))
    assert found is not None
    pooled = next(part for part in found.parts if part.name == "metacog_pooled")
    assert isinstance(pooled, Figure)
    assert "'C1'" in (drawn := str(pooled.chart))
    assert "C2 false" not in drawn


def test_a_run_of_another_family_has_no_such_section(tmp_path: Path) -> None:
    played = Played(moments("w red 80", "done red 0 red"))
    with open_run(write_run(tmp_path, [played])) as connection:
        assert [module.section(Reading(connection)) for module in MODULES] == [None] * len(MODULES)


def test_the_terminal_explains_each_column_once_and_breaks_no_line(tmp_path: Path) -> None:
    with open_run(write_metacog_run(tmp_path, played()), hold=True) as connection:
        console = Console(width=80, color_system=None)
        with console.capture() as capture:
            for table in tables(connection):
                console.print(table)
    lines = capture.get().splitlines()
    titles = [line for line in lines if line.startswith("metacog ")]
    assert len(titles) == 6
    assert all(line.rstrip().endswith("· paper") for line in titles)
    # What no model has is no column, and is named.
    heads = [line.split() for line in lines if line.startswith("model")]
    places = [i for i, line in enumerate(lines) if line.startswith("model")]
    assert any(line.startswith("Undefined for every model: ") for line in lines)
    for head, place in zip(heads, places, strict=True):
        rows = [line.split()[1:] for line in lines[place + 1 : place + 3]]
        assert all(any(row[n] != "–" for row in rows) for n in range(len(rows[0]))), head
    for explained in ("NAT, WAG: ", "SSR: ", "KDI: ", "summary.metacog_intervals"):
        assert sum(explained in line for line in lines) == 1, explained


def test_the_terminal_shows_the_first_and_last_of_many_models(tmp_path: Path) -> None:
    posed = [one for one in played() if one.model == "lab/a"]
    posed = [replace(one, model=f"lab/{n:02}") for n in range(40) for one in posed]
    with open_run(write_metacog_run(tmp_path, posed), hold=True) as connection:
        for table in tables(connection):
            assert table.row_count == 20
            assert "20 of 40 models" in str(table.caption)
