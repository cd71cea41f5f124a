"""A report's first tables of many models: by lab, from the best to the worst, and all of them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.analysis.plots.few_models import MOST_MODELS
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report import page
from mirror_ray.analysis.report.across import headlines
from mirror_ray.analysis.report.section import ReportTable, Section
from mirror_ray.analysis.report.shown import TableText, table_text
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"))
WRONG = Played(moments("w unknown 60", "done red 60 blue"))
N_MODELS = 33


def played(n_models: int) -> Iterator[Played]:
    """Four scenes of E1 and four of E3 each; the model's number says how many it gets right."""
    for number in range(n_models):
        lab = "Acme" if number % 3 else "Zenith"
        model = f"openrouter/{lab}/model-{number:02d}"
        for scene in range(4):
            one = RIGHT if scene < number % 5 else WRONG
            for condition in ("E1", "E3"):
                yield replace(one, model=model, scene_seed=scene, condition=condition)


def section_of(folder: Path, episodes: Iterable[Played]) -> Section:
    with open_run(write_run(folder, list(episodes)), hold=True) as connection:
        found = headlines.section(Reading(connection))
    assert found is not None
    return found


def table_of(section: Section, name: str) -> TableText:
    (table,) = (one for one in section.parts if one.name == name)
    assert isinstance(table, ReportTable)
    return table_text(table)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Section:
    return section_of(tmp_path_factory.mktemp("many"), played(N_MODELS))


def test_labs_have_the_mean_and_the_ends_of_their_models(many: Section) -> None:
    labs = table_of(many, "labs_selfid")
    assert [column.heading for column in labs.columns] == ["lab", "n", "E1", "E3"]
    rows = {row[0].text: row[1:] for _, rows in labs.groups for row in rows}
    assert rows.keys() == {"acme", "zenith"}
    # Zenith's are 0, 3, … 30: right in 0, 3, 1, 4, 2, 0, 3, 1, 4, 2, 0 of four scenes.
    n, e1, e3 = rows["zenith"]
    assert (n.text, e1.text, e1.small) == ("11", f"{20 / 44:.2f}"[1:], ".00–1.00")
    assert (e3.text, e3.small) == (e1.text, e1.small)
    assert rows["acme"][0].text == "22"


def test_models_go_from_the_best_to_the_worst_by_name_where_equal(many: Section) -> None:
    models = table_of(many, "headline_selfid")
    numbers = [int(row[0].text[-2:]) for _, rows in models.groups for row in rows]
    by_name = sorted(range(N_MODELS), key=lambda number: (number % 3 == 0, number))
    assert numbers == sorted(by_name, key=lambda number: -(number % 5))


@pytest.mark.parametrize("is_searched", [True, False])
def test_the_page_has_every_row_that_is_searched(
    many: Section, monkeypatch: pytest.MonkeyPatch, is_searched: bool
) -> None:
    monkeypatch.setattr(page, "_MOST_ON_PAGE", 20)
    monkeypatch.setattr(page, "FIRST_ROWS", 4)
    monkeypatch.setattr(page, "LAST_ROWS", 2)
    (part,) = (one for one in many.parts if one.name == "headline_selfid")
    assert isinstance(part, ReportTable)
    part = replace(part, is_searched=is_searched and part.is_searched)
    html = page.page(
        "run",
        "",
        (),
        [replace(many, parts=(part,))],
        drawings={},
        tables={part.name: table_text(part)},
    )
    n_shown = html.count("/<wbr>model-")
    assert n_shown == (N_MODELS if is_searched else 6)
    assert ("The first 4 and the last 2 of 33 rows" in html) is not is_searched


def test_few_models_are_by_name_and_without_labs(tmp_path: Path) -> None:
    section = section_of(tmp_path, played(MOST_MODELS))
    assert [part.name for part in section.parts] == ["headline_selfid"]
    names = [row[0].text for _, rows in table_of(section, "headline_selfid").groups for row in rows]
    assert names == sorted(names)
