"""The page that people read: whole, without scripts, and honest about where things come from."""

import csv
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report import sections
from mirror_ray.analysis.report.files import Choices, write_report
from mirror_ray.analysis.report.page import ReportFrame
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

HOSTILE = "x/</title></svg><script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{7*7}}"
RIGHT = Played(moments("w unknown 60", "done red 60 red"))
NEVER_DONE = Played(moments("w unknown 0", "w red 60"), scene_seed=9, model="a/b")
WRONG = Played(moments("w blue 0", "done blue 60 blue"), scene_seed=8, model="a/b")


@dataclass
class Page(HTMLParser):
    """The elements of a page, its links and its words."""

    tags: Counter[str] = field(default_factory=Counter)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    handlers: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href", "action", "data"):
                self.links.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def parsed(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = write_run(
        tmp_path_factory.mktemp("run"),
        [
            *scenes(replace(RIGHT, model=HOSTILE), 3),
            *scenes(replace(RIGHT, model="a/b"), 3),
            *scenes(replace(RIGHT, model="a/b", temperature=0.7), 2),
            NEVER_DONE,
            WRONG,
            replace(WRONG, scene_seed=7, error_kind="timeout"),
            replace(RIGHT, condition="E5", cubes=(), model="a/b"),
            replace(NEVER_DONE, condition="E5", cubes=()),
        ],
    )
    written = write_report(run).files
    assert Path(written[0]) == Path(run) / "report" / "index.html"
    return Path(run) / "report"


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return parsed((folder / "index.html").read_text())


def test_nothing_is_fetched_and_nothing_runs(folder: Path, page: Page) -> None:
    text = (folder / "index.html").read_text()
    assert page.tags["script"] == page.tags["img"] == page.tags["iframe"] == page.tags["link"] == 0
    assert page.handlers == []
    assert "default-src 'none'" in text
    assert [link for link in page.links if re.match(r"[a-z]+:|//", link)] == []
    assert set(re.findall(r"url\(([^)]*)\)", text)) <= {
        f"#{name}" for name in re.findall(r'id="([^"]+)"', text)
    }


def test_what_others_wrote_is_text(page: Page) -> None:
    words = "".join(page.words)
    assert HOSTILE in words
    assert words.count("x/</title>") == words.count(HOSTILE), "nothing evaluates {{7*7}} either"


def test_every_link_leads_somewhere(folder: Path, page: Page) -> None:
    assert Counter(page.ids).most_common(1)[0][1] == 1
    for link in page.links:
        found = link[1:] in page.ids if link.startswith("#") else (folder / link).is_file()
        assert found, link


def test_all_files_are_named_on_the_page(folder: Path, page: Page) -> None:
    files = {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and path.name != "index.html"
    }
    assert files == {link for link in page.links if not link.startswith("#")}


def test_estimates_stand_with_their_denominators(page: Page) -> None:
    words = [word.strip() for word in page.words if word.strip()]
    first_table = len(words) - words[::-1].index("selfid: TSA")
    # The name is one text, with a place to break it.
    row = words.index("a/", first_table) + 1
    assert words[row] == "b"
    # 3 right of 3 + 1 + 1 in E1, the failed one left out; 1 of 2 in E5. Wilson's intervals. The
    # row's n stands once, and with the figure that rests on another.
    assert words[row + 1] == "5"
    assert [word for word in words[row + 2 : row + 8] if word not in ("a", "b")][:4] == [
        ".60", ".23–.88", ".50", ".09–.91 n=2",
    ]  # fmt: skip


def test_errors_are_shown_where_there_are_some(folder: Path, page: Page) -> None:
    """The one model's episode in E1, of four cells; the files have all."""
    all_rows = pq.read_table(folder / "tables/failed_episodes.parquet").to_pylist()
    n_silent = sum(not row["n_failed"] for row in all_rows)
    assert 0 < n_silent < len(all_rows)
    assert f"{n_silent} further rows are not shown: there no episode ended in an error" in "".join(
        page.words
    )


def test_failed_episodes_are_bounded(folder: Path) -> None:
    (row,) = pq.read_table(folder / "tables/bounds_selfid.parquet").to_pylist()
    # 3 right of 5 whole episodes; the failed one would make it 3 or 4 of 6.
    assert (row["model"], row["condition"], row["n_failed"]) == ("a/b", "E1", 1)
    assert (row["estimate"], row["low_if_failed"], row["high_if_failed"]) == (3 / 5, 3 / 6, 4 / 6)


def test_a_varied_setting_has_its_curve(folder: Path) -> None:
    assert (folder / "figures/ablation_selfid_temperature.svg").is_file()
    rows = pq.read_table(folder / "tables/ablations_selfid.parquet").to_pylist()
    found = [(r["value"], r["n"], r["estimate"], r["n_shared"], r["difference"]) for r in rows]
    # Two scenes were played at both temperatures, and both times right.
    assert found == [("0.2", 5, 0.6, None, None), ("0.7", 2, 1.0, 2, 0.0)]


@pytest.mark.usefixtures("undrawn")
def test_broken_rules_are_shown(tmp_path: Path) -> None:
    impossible = replace(RIGHT, condition="E2", says_otherwise={"mirror_present": False})
    write_report(write_run(tmp_path, [impossible]))
    (row,) = pq.read_table(tmp_path / "report/tables/violations_selfid.parquet").to_pylist()
    assert row == {
        "invariant": "without a mirror, MCR, MTATO, MGD and ARSC are 0",
        "condition": "E2",
        "model": RIGHT.model,
        "n": 1,
    }
    assert "violations_selfid" in (tmp_path / "report/index.html").read_text()


def test_a_table_is_the_same_in_every_format(folder: Path) -> None:
    table = pq.read_table(folder / "tables/selfid_summary.parquet")
    with (folder / "tables/selfid_summary.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["model"] for row in rows] == table["model"].to_pylist()
    assert [float(row["tsa_estimate"]) for row in rows] == table["tsa_estimate"].to_pylist()
    assert {row["mtato_n"] for row in rows} == {str(n) for n in table["mtato_n"].to_pylist()}
    assert "" in {row["sc_estimate"] for row in rows}, "undefined is empty, not 0"
    assert (folder / "figures/selfid_heat_map.png").read_bytes().startswith(b"\x89PNG")
    assert len((folder / "tables/selfid_summary.tex").read_text().splitlines()) > len(rows)


def test_a_run_without_episodes_has_a_page(tmp_path: Path) -> None:
    (index,) = write_report(str(tmp_path)).files
    assert "Nothing has been sealed yet" in Path(index).read_text()


def test_a_familys_sections_are_those_of_its_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = SimpleNamespace(
        SECTIONS=(lambda run: Section("new", "New", "Asks something.", ()), lambda run: None)
    )
    monkeypatch.setattr(sections, "module_of", lambda name, part: made)
    run = write_run(tmp_path, [Played(moments("w red 80", "done red 0 red"))])
    with open_run(run) as connection:
        found = sections.read_sections(Reading(connection))
    assert [section.name for section in found] == ["new"]


@pytest.mark.usefixtures("undrawn")
def test_frames_stand_at_the_top_and_nothing_in_them_acts(tmp_path: Path) -> None:
    run = write_run(tmp_path, [RIGHT])
    frame = ReportFrame(HOSTILE, HOSTILE, "data:image/jpeg;base64,AAAA")
    (index, *_) = write_report(run, choices=Choices(frames=(frame,))).files
    text = Path(index).read_text(encoding="utf-8")
    page = parsed(text)
    assert page.tags["img"] == 1
    assert page.handlers == []
    assert page.tags["script"] == 0
    assert text.index("data:image/jpeg;base64,AAAA") < text.index('<main id="main">')
