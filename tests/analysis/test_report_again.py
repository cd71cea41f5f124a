"""A report that is written anew stands alone: nothing of the earlier one is left, nor anything else
gone."""

from pathlib import Path

import pytest

from mirror_ray.analysis.report import shown
from mirror_ray.analysis.report.files import Choices, write_report
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"))
SLOW = Played(moments("w unknown 0", "w red 60"), condition="E5", model="a/b")


def names_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("undrawn")
def test_what_only_an_earlier_report_wrote_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write_run(tmp_path, [*scenes(RIGHT, 3), *scenes(SLOW, 3)])
    folder = Path(run) / "report"
    write_report(run)
    first = names_in(folder)
    mine = {"tables/mine.csv", "figures/mine.pdf", "notes.txt", "episodes/0123.html"}
    for name in mine:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
    # A name that the page says as text, or that leads elsewhere, is no file of its.
    elsewhere = tmp_path / "elsewhere.csv"
    elsewhere.write_text("mine")
    page = folder / "index.html"
    page.write_text(
        page.read_text().replace(
            "</body>",
            '&lt;a href="tables/mine.csv"> <a href="tables/../notes.txt">'
            '<a href="tables/../../../elsewhere.csv"></a></body>',
        )
    )

    monkeypatch.setattr(shown, "MOST_CSV_ROWS", 0)
    second = {str(Path(one).relative_to(folder)) for one in write_report(run).files}
    gone = first - second
    assert gone
    assert all(name.endswith(".csv") for name in gone)
    assert names_in(folder) == second | mine
    assert elsewhere.exists()

    fewer = write_report(run, choices=Choices(where="condition = 'E1'")).files
    assert names_in(folder) == {str(Path(one).relative_to(folder)) for one in fewer} | mine
    assert len(fewer) < len(second)
