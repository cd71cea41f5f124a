"""textmirror's sections of the report: what they show of a run, and nothing of a run without it."""

from pathlib import Path

from vl_convert import vegalite_to_vega

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across import comparisons
from mirror_ray.analysis.report.section import Figure, ReportTable
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.families.textmirror.sections import controls as textmirror_controls
from mirror_ray.families.textmirror.sections import section as textmirror
from support.analysis.synthetic_runs import Played, moments, write_run
from support.analysis.textmirror_runs import Answered, varied_readers, write_textmirror_run


def parts_of(directory: Path, episodes: list[Answered]) -> dict[str, Figure | ReportTable]:
    with open_run(write_textmirror_run(directory, episodes), hold=True) as connection:
        reading = Reading(connection)
        sections = [module.section(reading) for module in (textmirror, textmirror_controls)]
        parts = [part for section in sections if section is not None for part in section.parts]
        for part in parts:
            assert connection.execute(part.sql).fetchall()
    assert len({part.name for part in parts}) == len(parts)
    return {part.name: part for part in parts}


def test_every_part_can_be_drawn_and_read(tmp_path: Path) -> None:
    long = [
        Answered(condition="story", n_sentences=9, kept=True),
        Answered(n_sentences=9, variant="paper+n_sentences=9"),
    ]
    parts = parts_of(tmp_path, [*varied_readers(), *long])
    assert {"textmirror_recognition", "textmirror_above_chance", "textmirror_stratified",
            "textmirror_readers", "textmirror_story_lengths",
            "textmirror_places_of_pairs"} <= parts.keys()  # fmt: skip
    for part in parts.values():
        if isinstance(part, Figure):
            assert vegalite_to_vega(part.chart)
        else:
            for row in part.data.to_pylist():
                assert any(column.show(row).text != "–" for column in part.columns)


def test_an_unchanged_story_is_in_no_table_of_editors(tmp_path: Path) -> None:
    unchanged = Answered(editor=None, variant="unchanged", predicted=3)
    parts = parts_of(tmp_path, [Answered(), unchanged])
    pairs, places = parts["textmirror_pairs"], parts["textmirror_positions"]
    assert isinstance(pairs, ReportTable)
    assert isinstance(places, ReportTable)
    assert {row["variant"] for row in pairs.data.to_pylist()} == {"paper"}
    assert {row["variant"] for row in places.data.to_pylist()} == {"paper", "unchanged"}


def test_stories_of_one_length_have_no_curve(tmp_path: Path) -> None:
    assert "textmirror_story_lengths" not in parts_of(tmp_path, varied_readers())


def test_of_many_editors_places_are_shown_for_all_together(tmp_path: Path) -> None:
    def panels(n_editors: int) -> int:
        episodes = [Answered(editor=f"e{n}", scene_seed=n) for n in range(n_editors)]
        figure = parts_of(tmp_path / str(n_editors), episodes)["textmirror_places_of_pairs"]
        assert isinstance(figure, Figure)
        return str(figure.chart).count("'revised by ")

    assert panels(9) == 9 * panels(10)


def test_a_run_without_textmirror_has_no_such_sections(tmp_path: Path) -> None:
    with open_run(
        write_run(tmp_path, [Played(moments("done red 60 red"))]), hold=True
    ) as connection:
        assert textmirror.section(Reading(connection)) is None
        assert textmirror_controls.section(Reading(connection)) is None


def test_a_share_of_replies_is_of_replies_where_stories_were_read_more_than_once(
    tmp_path: Path,
) -> None:
    readings = [Answered(editor=editor) for editor in ("a", "b", "c")]
    parts = parts_of(tmp_path, readings)
    for name in ("textmirror_pairs", "textmirror_positions"):
        table = parts[name]
        assert isinstance(table, ReportTable)
        shown = [
            column.show(row).text
            for row in table.data.to_pylist()
            for column in table.columns
            if column.heading in ("revised", "named", "valid replies")
        ]
        assert "1.00" in shown
        assert set(shown) <= {"1.00", ".00"}


def test_what_an_interval_rests_on_is_stories_however_often_they_were_read(tmp_path: Path) -> None:
    readings = [
        Answered(editor=editor, position=1, predicted=seed % 2 + 1, scene_seed=seed)
        for seed in range(3)
        for editor in ("a", "b", "c")
    ]
    parts = parts_of(tmp_path, readings)
    table, figure = parts["textmirror_positions"], parts["textmirror_places"]
    assert isinstance(table, ReportTable)
    assert isinstance(figure, Figure)
    recall = next(column for column in table.columns if column.heading == "recall")
    revised = next(column for column in table.columns if column.heading == "revised")
    (row, *_) = table.data.to_pylist()
    assert (recall.show(row).n, revised.show(row).small) == (3, "9 of 9")
    assert "names place 1 in 6 of 9 replies; 9 were revised there" in str(figure.chart)


def test_odds_ratios_have_equally_many_digits_in_all_tables(tmp_path: Path) -> None:
    episodes = [
        Answered(author=model, editor=editor, scene_seed=story, predicted=1 if hit else 2)
        for model in ("a", "d")
        for story, (found, own) in enumerate([(2, 0), (1 + (model == "a"), 1), (3, 0)])
        for editor, hit in [(model, own), *((f"e{n}", n < found) for n in range(4))]
    ]
    with open_run(write_textmirror_run(tmp_path, episodes), hold=True) as connection:
        run = Reading(connection)
        sections = (textmirror.section(run), comparisons.section(run))
        tables = [
            part
            for section in sections
            for part in (section.parts if section else ())
            if isinstance(part, ReportTable)
        ]
    odds = [
        cell.text if column.heading == "odds ratio" else cell.small.removeprefix("odds ratio ")
        for table in tables
        for column in table.columns
        for row in table.data.to_pylist()
        for cell in [column.show(row)]
        if column.heading == "odds ratio" or cell.small.startswith("odds ratio")
    ]
    known = {one for one in odds if one not in ("–", "0")}
    assert len(known) > 2
    assert {len(one.replace(".", "").lstrip("0")) for one in known} == {3}
