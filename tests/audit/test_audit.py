"""A blinded sheet goes out, comes back, and readers are compared; hostile files do no harm."""

import csv
import io
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from mirror_ray.audit.agreement import agreement_of, agreements
from mirror_ray.audit.files import SHEET_COLUMNS, as_csv, harmless, read_marks
from mirror_ray.audit.readings import AuditedReply
from mirror_ray.audit.results import audit_rows
from mirror_ray.audit.sheet import Sheet, SheetItem, ShownItem, draw_sheet, shown_items
from mirror_ray.audit.store import Audit
from mirror_ray.cli import main
from mirror_ray.core.errors import RunDirError, UnfitError
from support.staged_run import play_stages, staged_plan


def reading(number: int, said: str = "right", model: str = "lab/a", **more: str) -> AuditedReply:
    about = {"task": f"task {number}", "key": "York", "reply": f"reply {number}"} | more
    return AuditedReply(
        f"{number:016x} 1 ", "metacog", "exp1", model, "answer", "text", readers={"rules": said},
        **about,
    )  # fmt: skip


MANY = [reading(n, "wrong" if n % 20 == 0 else "right") for n in range(400)]


def drawn(readings: list[AuditedReply] = MANY, count: int = 40, seed: int = 0) -> Sheet:
    return draw_sheet(
        readings, name="audit", seed=seed, count=count, families=("metacog",), where=None
    )


def test_a_draw_is_seeded_stratified_and_weighted() -> None:
    sheet = drawn()
    assert sheet == drawn(MANY[::-1])
    assert sheet.items != drawn(seed=1).items
    by_place = {one.place: one for one in MANY}
    counted = Counter(by_place[item.place].readers["rules"] for item in sheet.items)
    assert counted == {"right": 20, "wrong": 20}
    assert sum(item.weight for item in sheet.items) == pytest.approx(400)
    assert Sheet.of(json.loads(json.dumps(sheet.facts))) == sheet


def test_equal_replies_are_drawn_once() -> None:
    twins = [reading(n, reply="York.", task="Which town?") for n in range(50)]
    assert len(drawn(twins).items) == 1


def test_neither_model_nor_reading_is_on_a_sheet() -> None:
    hidden = [reading(n, "wrong", "lab/secret") for n in range(30)]
    text = as_csv(shown_items(drawn(hidden), hidden))
    assert "secret" not in text
    assert "exp1" not in text
    assert text.splitlines()[0] == ",".join(SHEET_COLUMNS)
    assert all(row["mark"] == "" for row in csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", "\n=1", "＝1"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"
    [row] = csv.DictReader(io.StringIO(as_csv([ShownItem("a", "q", cell, "", "")])))
    assert row["task"].startswith("'")
    assert (row["key"], row["reply"]) == ("", "")


def filled(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "filled.csv"
    path.write_text(text, "utf-8")
    return path


SHEET = Sheet(
    "audit",
    0,
    ("metacog",),
    None,
    2,
    (SheetItem("aa", "p 1 ", "c", 1), SheetItem("bb", "q 1 ", "c", 1)),
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no row"),
        ("id,reply\naa,x\n", "line 1"),
        ("id,mark,mark\n", "line 1"),
        ("id,mark\ncc,right\n", "line 2: id 'cc'"),
        ("id,mark\naa,right\n\naa,wrong\n", "line 4: id aa again, as on line 2"),
        ("id,mark\naa,maybe\n", "line 2: mark 'maybe'"),
        ("id,mark\naa\n", "line 2: 1 cells"),
        ('id,mark\naa,"right', "line 2"),
        ('id,mark\naa,"right"x\n', "line 2"),
        ("id,mark\n" + "aa,right\n" * 10_000, "line 3"),
        ("id,mark\n" + ",\n" * 10_000, "one row more"),
        ("id,mark\naa," + "x" * 200_000, "field larger"),
        ("id,mark\naa,\x00\n", "line"),
    ],
)
def test_a_sheet_that_is_none_is_refused_with_its_line(
    text: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(UnfitError, match=says):
        read_marks(filled(tmp_path, text), SHEET)


@pytest.mark.parametrize(
    "text",
    ["id,mark\naa,right\nbb,\n", "\ufeffID;Mark\r\naa;R\r\n", "note\tmark\tid\n=1\tright\taa\n"],
)
def test_spreadsheets_own_ways_are_taken(text: str, tmp_path: Path) -> None:
    assert read_marks(filled(tmp_path, text), SHEET) == {"aa": "right"}


def test_kappa_is_cohens() -> None:
    """The textbook's table: 20 and 15 alike, 5 and 10 apart."""
    pairs = [("right", "right")] * 20 + [("right", "wrong")] * 5
    pairs += [("wrong", "right")] * 10 + [("wrong", "wrong")] * 15
    found = agreement_of("rules", "anna", "", [(1.0, *pair) for pair in pairs])
    assert found.agreement == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.kappa_low is not None
    assert found.kappa_high is not None
    assert -1 <= found.kappa_low < 0.4 < found.kappa_high <= 1


def test_unanimous_readers_have_no_kappa_and_an_interval() -> None:
    found = agreement_of("rules", "anna", "", [(1.0, "right", "right")] * 5)
    assert (found.agreement, found.kappa) == (1, None)
    assert found.agreement_low is not None
    assert found.agreement_low < 0.6


def test_planted_errors_are_recovered_by_weight() -> None:
    """The rules are wrong where they say wrong: 5 % of the run, half of the sheet."""
    sheet = drawn()
    marks = {"anna": {item.id: "right" for item in sheet.items}}
    overall = agreements(sheet, MANY, marks)[0]
    assert (overall.stratum, overall.n) == ("", 40)
    assert overall.agreement == pytest.approx(0.95)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("audited") / "run"
    asked = {"family": "metacog", "conditions": ["exp1"], "seeds": 16, "channel": ["natural"]}
    judge = {"family": "metacog", "conditions": ["judge"], "judge": "scripted/judge"}
    play_stages(staged_plan(out, ["scripted/calibrated"], asked, judge))
    return str(out)


@pytest.mark.thorough("its steps, each by itself, below")
def test_from_the_draw_to_the_figures(
    run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path(run).rglob("*.parquet")}
    assert main(["audit", run, "--of", "metacog", "--n", "12", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agreement"] == []
    rows = list(csv.DictReader(io.StringIO(Path(run, "audits/audit/sheet.csv").read_text())))
    assert len(rows) == 12
    marked = "\n".join(["id,mark", *(f"{row['id']},right" for row in rows)])
    path = filled(tmp_path, marked)
    assert main(["audit", run, "--take", str(path), "--by", "anna", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["agreement"]
    assert {one["one"] for one in found} == {"rules", "judge scripted/judge"}
    assert found[0]["n"] == 12
    assert {path: path.stat().st_mtime_ns for path in Path(run).rglob("*.parquet")} == before
    # Another audit of this directory is damaged: the report says so, and shows what there is.
    Path(run, "audits/other").mkdir()
    Path(run, "audits/other/sheet.json").write_text("[1]\x1b[31m")
    assert main(["report", run, "--out", str(tmp_path / "page")]) == 0
    assert "an audit is left out" in capsys.readouterr().err
    with (tmp_path / "page" / "tables" / "audits.csv").open() as file:
        shown = {(row["reader"], row["of"]): row for row in csv.DictReader(file)}
    assert float(shown["rules", ""]["agreement"]) == pytest.approx(found[0]["agreement"])
    assert shown["rules", ""]["person"] == "anna"
    assert "Audits by persons" in (tmp_path / "page" / "index.html").read_text()
    assert main(["audit", run, "--n", "5", "--seed", "3"]) == 2
    assert "--name another" in capsys.readouterr().err
    assert main(["audit", run, "--name", "../x"]) == 2
    assert main(["audit", run, "--by", ".."]) == 2
    assert main(["audit", run, "--name", "b", "--where", "no such"]) == 2
    assert "--where" in capsys.readouterr().err
    path.write_text("id,mark\nzz,right\n")
    assert main(["audit", run, "--take", str(path)]) == 2
    assert "line 2" in capsys.readouterr().err


def test_a_link_out_of_the_run_is_not_followed(
    run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = tmp_path / "run"
    shutil.copytree(run, copied, ignore=shutil.ignore_patterns("audits"))
    (tmp_path / "elsewhere").mkdir()
    (copied / "audits").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "x").mkdir()
    (tmp_path / "elsewhere" / "x" / "sheet.json").write_text('{"secret": 1}')
    assert main(["audit", str(copied), "--n", "3"]) == 2
    assert main(["report", str(copied), "--out", str(tmp_path / "page")]) == 2
    assert "audits" in (said := capsys.readouterr().err)
    assert "secret" not in said
    assert [one.name for one in (tmp_path / "elsewhere").rglob("*")] == ["x", "sheet.json"]


GOOD = {"name": "a", "seed": 1, "families": ["metacog"], "where": None, "population": 9}
ITEM = ["id", "place", "content", 1.0]


@pytest.mark.parametrize(
    ("sheet", "marks"),
    [
        ({}, {}),
        ([], {}),
        ({**GOOD, "items": [ITEM, ITEM]}, {"id": "right"}),
        ({**GOOD, "items": [["id", "place", "content", float("nan")]]}, {"id": "right"}),
        ({**GOOD, "items": [["id", "place", "content", 1e308]]}, {"id": "right"}),
        ({**GOOD, "items": [["id", "place", "content", -1.0]]}, {"id": "right"}),
        ({**GOOD, "items": [["id", 5, {}, 1.0]]}, {"id": "right"}),
        ({**GOOD, "items": [ITEM], "families": ["x'); drop"]}, {"id": "right"}),
        ({**GOOD, "items": [ITEM], "families": 7}, {"id": "right"}),
        ({**GOOD, "items": [ITEM], "where": "1; drop table x"}, {"id": "right"}),
        ({**GOOD, "items": [ITEM]}, {"id": "\x1b[31m"}),
        ({**GOOD, "items": [ITEM]}, {"id": ["right"]}),
        ({**GOOD, "items": [ITEM]}, ["right"]),
        ({**GOOD, "items": [ITEM]}, {"other": "right"}),
    ],
)
def test_somebody_else_s_audit_does_no_harm(
    run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], sheet: object, marks: object
) -> None:
    copied = tmp_path / "run"
    shutil.copytree(run, copied, ignore=shutil.ignore_patterns("audits", "report"))
    folder = copied / "audits" / "theirs"
    (folder / "marks").mkdir(parents=True)
    (folder / "sheet.json").write_text(json.dumps(sheet))
    (folder / "marks" / "eve.json").write_text(json.dumps(marks))
    rows, faults = audit_rows(str(copied))
    assert all(row["n"] == 0 for row in rows)
    assert all(line.isprintable() for line in faults)


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"items": 3}', '{"aa": 1e999}', "null", '{"items": [[1, 2, 3, 4]]}']
)
def test_what_is_stored_is_read_as_from_anybody(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "audits" / "audit"
    (folder / "marks").mkdir(parents=True)
    (folder / "sheet.json").write_text(text)
    (folder / "marks" / "anna.json").write_text(text)
    if text != "null":
        with pytest.raises(RunDirError):
            Audit(str(tmp_path), "audit").sheet()
        with pytest.raises(RunDirError):
            Audit(str(tmp_path), "audit").marks()
