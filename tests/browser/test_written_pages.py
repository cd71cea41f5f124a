"""The viewer's pages as files: whole without a server, and drawn for the docs by a script."""

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from mirror_ray.cli import main
from support.benchmark_scripts import script
from support.viewed_pages import drawn, harm, open_first, shows
from support.viewed_run import viewed_run

pytestmark = pytest.mark.thorough("viewer/ reads the same pages unopened")


# Of itself, so that it comes first: while the browser's driver is there, no event loop can be run.
@pytest.fixture(scope="module", autouse=True)
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("viewed") / "out"
    viewed_run(out)
    return out


@pytest.fixture(scope="module")
def pages(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run as files."""
    folder = tmp_path_factory.mktemp("pages")
    assert main(["view", str(recorded), "--static", str(folder), "--where", "true"]) == 0
    return folder


def test_written_page_is_whole_without_a_server(watched, pages):
    page = watched.page
    page.goto((pages / "index.html").as_uri())
    open_first(page)
    page.keyboard.press("End")
    expect(page.locator("#where")).to_have_text("step 4 of 4")
    page.keyboard.press("e")
    assert drawn(page, "evidence") == [640]
    assert drawn(page, "room") == [640]
    page.keyboard.press("]")
    shows(page, "selfid E4")
    assert page.url.startswith("file://")
    page.goto(page.url + "#step-2-try-1")
    expect(page.locator("#where")).to_have_text("step 2 of 4 · asked again")
    assert harm(page) is None
    assert watched.complaints == []


def test_written_list_narrows_sorts_and_turns_back(watched, pages):
    page = watched.page
    index = (pages / "index.html").as_uri()
    page.goto(index)
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    page.locator("select[name=condition]").select_option("E4")
    expect(rows).to_have_count(1)
    assert page.url == f"{index}#condition=E4"
    # What is counted elsewhere is counted under the other filters.
    expect(page.locator(".chips label:visible .count")).to_have_text("1")
    page.go_back()
    expect(rows).to_have_count(2)
    page.locator("th a", has_text="condition").click()
    page.locator("th a", has_text="condition").click()
    expect(rows.first).to_contain_text("E4")
    expect(page.locator("th[aria-sort=descending]")).to_have_text("condition")
    page.goto(f"{index}#model_has=no-such")
    expect(page.locator(".empty")).to_be_visible()
    for hostile in ("differ='", "sort=__proto__", "sort=-constructor", "condition=<img src=x>"):
        page.goto(f"{index}#{hostile}&page=999")
        expect(page.locator("#count")).to_contain_text("episode")
    assert harm(page) is None
    assert watched.complaints == []


def test_its_picture_in_docs_is_drawn_by_a_script(watched, pages: Path, tmp_path: Path) -> None:
    episode = min(path for path in pages.glob("*.html") if path.name != "index.html")
    watched.page.set_viewport_size({"width": 1360, "height": 1190})
    script("screens").viewer_page(watched.page, episode, 2, tmp_path / "viewer.png")
    expect(watched.page.locator("#where")).to_have_text("step 2 of 4")
    assert Image.open(tmp_path / "viewer.png").size == (1360, 1190)
