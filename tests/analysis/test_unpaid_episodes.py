"""Episodes that could not be paid for: in no view above the shards, and counted by the report."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.contents import contents, report_heading
from mirror_ray.analysis.warehouse import open_run
from support.analysis.contingency_runs import varied_watchers, write_contingency_run
from support.analysis.dyad_runs import varied_rooms, write_dyad_run
from support.analysis.flipset_runs import varied_answers as flipset_answers
from support.analysis.flipset_runs import write_flipset_run
from support.analysis.marktest_runs import varied_reaches, write_marktest_run
from support.analysis.metacog_runs import varied_answers as metacog_answers
from support.analysis.metacog_runs import write_metacog_run
from support.analysis.mirrorqa_runs import varied_questions, write_mirrorqa_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.analysis.textmirror_runs import varied_readers, write_textmirror_run
from support.whole import mostly_thorough

SELFID = [
    *scenes(Played(moments("w unknown 60", "done red 60 red")), 6),
    *scenes(Played(moments("w blue 0", "w unknown 60"), model="scripted/mute"), 6),
    *scenes(Played(moments("w blue 60"), condition="E2", error_kind="server"), 6),
]
WRITERS: dict[str, Callable[[Path], str]] = {
    "flipset": lambda at: write_flipset_run(at, flipset_answers()),
    "metacog": lambda at: write_metacog_run(at, metacog_answers()),
    "contingency": lambda at: write_contingency_run(at, varied_watchers()),
    "dyad": lambda at: write_dyad_run(at, varied_rooms()),
    "marktest": lambda at: write_marktest_run(at, varied_reaches()),
    "mirrorqa": lambda at: write_mirrorqa_run(at, varied_questions()),
    "selfid": lambda at: write_run(at, SELFID),
    "textmirror": lambda at: write_textmirror_run(at, varied_readers()),
}


def every_third(run: str, change: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> None:
    """Puts what `change` makes of them in place of the rows of every third episode."""
    for path in sorted(Path(run, "episodes").rglob("*.parquet")):
        table = pq.read_table(path, partitioning=None)
        kept = [
            new
            for place, row in enumerate(table.to_pylist())
            for new in ([row] if place % 3 else change(row))
        ]
        pq.write_table(pa.Table.from_pylist(kept, schema=table.schema), path)


def unpaid(row: dict[str, Any]) -> list[dict[str, Any]]:
    """The episode failed first; then the money was spent."""
    later = {"take": row["take"] + 1, "error_kind": "budget"}
    return [row | {"error_kind": "server"}, row | later]


def views(run: str, family: str) -> dict[str, list[tuple[Any, ...]]]:
    """Rows of the family's views of the layers that all others read, of episodes and of metrics.

    Not of those that say which episodes the shards have several rows of, and what was paid.
    """
    with open_run(run, hold=True) as connection:
        names = connection.execute(
            "select schema_name || '.' || view_name from duckdb_views() "
            "where schema_name in ('stage', 'episode', 'metric') and starts_with(view_name, $1) "
            "and not ends_with(view_name, '_again') and not ends_with(view_name, '_asked')",
            [family],
        ).fetchall()
        return {
            name: sorted(map(_rounded, connection.execute(f"from {name}").fetchall()), key=repr)
            for (name,) in names
        }


def _rounded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sums depend on the order of their terms."""
    return tuple(round(value, 9) if isinstance(value, float) else value for value in row)


@pytest.mark.parametrize("family", mostly_thorough(3, sorted(WRITERS)))
def test_no_view_counts_what_could_not_be_paid_for(family: str, tmp_path: Path) -> None:
    absent, spent = WRITERS[family](tmp_path / "absent"), WRITERS[family](tmp_path / "spent")
    every_third(absent, lambda _: [])
    every_third(spent, unpaid)
    expected, found = views(absent, family), views(spent, family)
    assert expected[f"stage.{family}_episodes"]
    assert [name for name in expected if found[name] != expected[name]] == []


def test_the_report_says_how_many_could_not_be_paid_for(tmp_path: Path) -> None:
    run = write_run(tmp_path, SELFID)
    every_third(run, unpaid)
    with open_run(run, hold=True) as connection:
        _, _, tiles = report_heading(Reading(connection))
    assert (tiles[0].text, tiles[0].small) == ("18", "4 with an error, 6 unpaid")


def test_a_run_whose_money_was_spent_at_once_has_a_report(tmp_path: Path) -> None:
    run = write_run(tmp_path, [one for one in SELFID if one.error_kind == "none"])
    for path in Path(run, "episodes").rglob("*.parquet"):
        rows = [row | {"error_kind": "budget"} for row in pq.read_table(path).to_pylist()]
        pq.write_table(pa.Table.from_pylist(rows, schema=pq.read_schema(path)), path)
    with open_run(run, hold=True) as connection:
        reading = Reading(connection)
        assert reading.families() == ()
        assert [tile.small for tile in report_heading(reading)[2][:1]] == [
            "0 with an error, 12 unpaid"
        ]
        # What its asks cost is told all the same.
        assert "costs" in [section.name for section in contents(reading)]
