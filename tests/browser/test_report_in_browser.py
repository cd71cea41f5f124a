"""The report in a real Chromium: whole without network or scripts, on any width and on paper."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from mirror_ray.analysis.report.files import write_report
from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from support.analysis.dyad_runs import varied_rooms, write_dyad_run
from support.analysis.hosted_runs import FAMILIES, write_hosted_run
from support.benchmark_scripts import script
from support.manifests import edit_manifest
from support.recorded_run import plan_for, record_run

pytestmark = pytest.mark.thorough("analysis/test_report_page.py reads the same page unopened")

HOSTILE = "</script><script>document.title='owned'</script><img src=http://10.0.0.1/x onerror=x>"


# Of every text: whether it leaves its drawing, meets another, or is too small to read.
LOST_TEXTS = """
() => [...document.querySelectorAll(".drawing svg")].flatMap(svg => {
  const within = svg.getBoundingClientRect();
  const scale = within.width / svg.viewBox.baseVal.width;
  const texts = [...svg.querySelectorAll("text")]
    .map(node => ({node, said: node.textContent, box: node.getBoundingClientRect()}))
    .filter(text => text.said.trim());
  const lost = [];
  texts.forEach((one, place) => {
    const {left, right, top, bottom} = one.box;
    if (left < within.left - 1 || right > within.right + 1
        || top < within.top - 1 || bottom > within.bottom + 1) lost.push(["outside", one.said]);
    if (parseFloat(getComputedStyle(one.node).fontSize) * scale < 9) lost.push(["small", one.said]);
    for (const other of texts.slice(place + 1)) {
      const wide = Math.min(right, other.box.right) - Math.max(left, other.box.left);
      const high = Math.min(bottom, other.box.bottom) - Math.max(top, other.box.top);
      if (wide > 1 && high > 3) lost.push(["over another", one.said, other.said]);
    }
  });
  return lost.map(one => [svg.closest("figure").id, ...one]);
})
"""


def says_hostile_things(_: object) -> Reply:
    return Reply(
        text=json.dumps(
            {
                "view-description": HOSTILE,
                "reasoning": HOSTILE,
                "action": "done",
                "summary": HOSTILE,
                "selected_cube": "red",
                "identification": "red",
            }
        ),
        model_version=HOSTILE,
    )


# Of itself, so that it comes first: while the browser's driver is there, no event loop can be run.
@pytest.fixture(scope="module", autouse=True)
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run whose first wrong episode has a page."""
    out = tmp_path_factory.mktemp("runs") / HOSTILE.replace("/", "")[:60]
    plan = plan_for(out, conditions=("E1", "E5"))
    record_run(plan, says_hostile_things)
    told = {"sweep_file": "own.yaml", "overrides": [f"models={'lab/a,' * 40}"]}
    edit_manifest(out, lambda manifest: manifest["runs"][-1].update(told))
    episodes = out / "report" / "episodes"
    episodes.mkdir(parents=True)
    for spec in plan.episodes:
        (episodes / f"{spec.episode_id}.html").write_text("<h1>An episode</h1>")
    assert main(["report", str(out)]) == 0
    return out / "report" / "index.html"


@pytest.fixture(scope="module", params=FAMILIES)
def of_family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The family's report, its models under names as long as hosted ones are."""
    run = write_hosted_run(tmp_path_factory.mktemp(request.param), request.param)
    return Path(write_report(run).files[0])


@pytest.mark.timeout(900)
def test_figures_lose_no_text_in_any_font(of_family, watched) -> None:
    watched.page.goto(of_family.as_uri())
    # The widest that a browser shows where Arial is missing, as on many Linux machines.
    watched.page.add_style_tag(content="text { font-family: 'DejaVu Sans', Verdana !important }")
    for width_px in (1400, 390):
        watched.page.set_viewport_size({"width": width_px, "height": 900})
        assert watched.page.evaluate(LOST_TEXTS) == []
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= width_px


@pytest.mark.timeout(900)
def test_paper_has_every_row_and_column(of_family, watched) -> None:
    # A4 across within its margins, and upright: 273 and 186 mm of 96 dots an inch.
    watched.page.goto(of_family.as_uri())
    watched.page.emulate_media(media="print")
    for selector, paper_px in ((".table.wide", 1046), (".table:not(.wide)", 703)):
        watched.page.set_viewport_size({"width": paper_px, "height": 900})
        cut = watched.page.locator(f"{selector} .scroll").evaluate_all(
            "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth + 1"
            " || box.scrollHeight > box.clientHeight + 1).map(box => box.ariaLabel)"
        )
        assert cut == []
    # What is for phones alone is not for paper, which is as narrow.
    name = watched.page.locator(".scroll tbody tr:not(.group) th").first
    assert name.evaluate("name => getComputedStyle(name).position") == "static"


def test_it_needs_nothing_and_shows_every_figure(index: Path, watched) -> None:
    asked: list[str] = []
    watched.page.on("request", lambda request: asked.append(request.url))
    watched.page.goto(index.as_uri())
    assert asked == [index.as_uri()]
    assert watched.page.title().startswith("recorded")
    for drawing in watched.page.locator(".drawing svg").all():
        box = drawing.bounding_box()
        assert box is not None
        assert box["width"] > 200
        assert box["height"] > 30
    assert watched.complaints == []


@pytest.mark.parametrize("width_px", [1440, 390])
def test_the_page_is_never_wider_than_the_window(index: Path, watched, width_px: int) -> None:
    watched.page.set_viewport_size({"width": width_px, "height": 900})
    watched.page.goto(index.as_uri())
    for details in watched.page.locator("details").all():
        details.evaluate("details => details.open = true")
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width_px


def test_on_a_phone_it_stays_in_view_whose_row_it_is(index: Path, watched) -> None:
    watched.page.set_viewport_size({"width": 390, "height": 900})
    watched.page.goto(index.as_uri())
    box = watched.page.locator("#selfid_summary .scroll")
    assert box.evaluate("box => (box.scrollLeft = 250, box.scrollLeft)") == 250
    name, cell = box.locator("tbody tr:not(.group)").first.locator("th, td").all()[:2]
    edge = box.bounding_box()["x"]
    assert name.bounding_box()["x"] == pytest.approx(edge, abs=1)
    assert cell.bounding_box()["x"] < edge


def test_on_a_phone_rows_are_low_and_headings_of_groups_are_whole(index: Path, watched) -> None:
    """What is out of view, such as times of four lines, made each row of a table tall."""
    watched.page.set_viewport_size({"width": 390, "height": 900})
    watched.page.goto(index.as_uri())
    row = watched.page.locator("#how_scenes tbody tr:not(.group)").first
    assert row.bounding_box()["height"] < 60
    for heading in watched.page.locator(".scroll tr.group th span").all():
        box = heading.bounding_box()
        assert box["x"] + box["width"] <= 390


def test_the_widest_table_fits_a_laptop(watched, tmp_path: Path) -> None:
    write_dyad_run(tmp_path, varied_rooms())
    watched.page.goto(Path(write_report(str(tmp_path)).files[0]).as_uri())
    watched.page.set_viewport_size({"width": 1400, "height": 900})
    watched.page.add_style_tag(content="body { font-family: 'DejaVu Sans', Verdana !important }")
    box = watched.page.locator("#dyad_summary .scroll")
    assert box.locator("thead th").count() >= 12
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    # One that is scrolled within the page has a shadow below, too.
    shadows = "box => getComputedStyle(box).backgroundImage.split('linear-gradient').length - 1"
    drawn = {
        "long" in box.get_attribute("class").split(): box.evaluate(shadows)
        for box in watched.page.locator(".scroll").all()
    }
    assert drawn == {False: 2, True: 4}
    # A figure lies on one sheet with its heading, and with its section's if it comes first: A4
    # within its margins, of 96 dots an inch.
    watched.page.emulate_media(media="print")
    watched.page.set_viewport_size({"width": 703, "height": 1016})
    heights = watched.page.locator("figure").evaluate_all(
        "all => all.map(one => one.offsetHeight + (one.previousElementSibling.matches('.lead')"
        " ? one.offsetTop - one.parentElement.offsetTop : 0))"
    )
    assert 700 < max(heights) < 1016


def test_contents_lead_to_parts_and_failures_to_episodes(index: Path, watched) -> None:
    watched.page.goto(index.as_uri())
    watched.page.locator("nav a", has_text="How episodes go wrong").click()
    assert watched.page.locator("#selfid_failures h3").is_visible()
    watched.page.locator("#selfid_failed_examples a[href^=episodes]").first.click()
    assert watched.page.locator("h1").inner_text() == "An episode"


def test_it_prints(index: Path, watched) -> None:
    watched.page.goto(index.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", watched.page.pdf())) > 3
    # The heading of a table that lies across goes with it.
    watched.page.emulate_media(media="print")
    heading = watched.page.locator("#selfid_metrics > h2")
    assert heading.evaluate("heading => getComputedStyle(heading).page") == "across"
    # A table that a page has room for is not torn, and a word is whole.
    short = watched.page.locator(".scroll:not(.long) table").first
    assert short.evaluate("table => getComputedStyle(table).breakInside") == "avoid"
    name = watched.page.locator("#how_stages tbody th").first
    assert name.evaluate("name => getComputedStyle(name).overflowWrap") == "break-word"


def test_its_picture_in_docs_is_drawn_by_a_script(index: Path, watched, tmp_path: Path) -> None:
    script("screens").report_page(watched.page, index, tmp_path / "report.png")
    assert Image.open(tmp_path / "report.png").size == (1024, 1120)
