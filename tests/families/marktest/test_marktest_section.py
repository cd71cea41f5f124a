"""marktest's section of the report: what it shows of a run, and nothing of a run without it."""

from pathlib import Path

from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import Figure, ReportTable
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.families.marktest.sections import SECTIONS
from support.analysis.marktest_runs import Did, Reached, write_marktest_run

(section_of,) = SECTIONS
TOUCHES = ("mark", "place", "counterpart", "body", "image", "surface", "other", "air", None)


def test_every_kind_of_touch_has_a_colour_and_every_metric_a_column(tmp_path: Path) -> None:
    played = [
        Reached((Did("touch", met), Did("end")), "glass", scene_seed=seed)
        for seed, met in enumerate(TOUCHES)
    ]
    with open_run(write_marktest_run(tmp_path, played), hold=True) as connection:
        section = section_of(Reading(connection))
        assert section is not None
        figure, table = section.parts
        assert isinstance(figure, Figure)
        assert isinstance(table, ReportTable)
        said = shipped_yaml("mirror_ray.families.marktest.sections", "section.yaml")
        kinds = {row[2] for row in connection.execute(figure.sql).fetchall()}
        assert kinds == set(said["parts"][figure.name]["chart"]["kinds"])
        assert vegalite_to_vega(figure.chart)
        (row,) = table.data.to_pylist()
        shown = {column.heading: column.show(row).text for column in table.columns}
        assert len(shown) == 1 + len(METRICS["marktest"].metrics)
        assert shown["model"] == "lab/a"
        assert row["on_mark_estimate"] == 1 / 9
        assert row["on_image_estimate"] == 1 / 9


def test_a_run_without_the_family_has_no_section(tmp_path: Path) -> None:
    with open_run(write_marktest_run(tmp_path, []), hold=True) as connection:
        assert section_of(Reading(connection)) is None
