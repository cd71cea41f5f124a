"""metacog's sections of the report: what they show of a run, and nothing of a run without it."""

from pathlib import Path

from metacog_runs import varied_answers, write_metacog_run
from synthetic_runs import Played, moments, write_run

from analysis.reading import Reading
from analysis.report.section import Figure, Table
from analysis.report.sections import metacog, metacog_agency
from analysis.warehouse import open_run


def test_every_part_can_be_drawn_and_read(tmp_path: Path) -> None:
    with open_run(write_metacog_run(tmp_path, varied_answers()), hold=True) as connection:
        sections = [module.section(Reading(connection)) for module in (metacog, metacog_agency)]
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
            "metacog_effects",
            "metacog_policies",
            "metacog_routing",
        } == set(parts)
        for part in parts.values():
            if isinstance(part, Figure):
                assert part.chart.to_dict()
            if isinstance(part, Table):
                for row in part.data.to_pylist():
                    assert any(column.show(row).text != "–" for column in part.columns)


def test_models_of_one_spot_share_a_label(tmp_path: Path) -> None:
    with open_run(write_metacog_run(tmp_path, varied_answers()), hold=True) as connection:
        found = metacog_agency.section(Reading(connection))
    assert found is not None
    figure = next(part for part in found.parts if part.name == "metacog_gap_and_failures")
    assert isinstance(figure, Figure)
    drawn = str(figure.chart.to_dict())
    assert "'a, b'" in drawn


def test_a_run_of_another_family_has_no_such_section(tmp_path: Path) -> None:
    played = Played(moments("w red 80", "done red 0 red"))
    with open_run(write_run(tmp_path, [played])) as connection:
        assert metacog.section(Reading(connection)) is None
        assert metacog_agency.section(Reading(connection)) is None
