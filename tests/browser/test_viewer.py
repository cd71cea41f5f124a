"""The viewer as a reader meets it: stepping, links, filters, evidence; hostile text is inert."""

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Route, expect

from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.frame_renderer import RenderWorker
from mirror_ray.viewer.run import Run
from mirror_ray.viewer.server import Viewer
from mirror_ray.world.renderer import Renderer
from support.viewed_pages import drawn, harm, open_first, shows
from support.viewed_run import HOSTILE_MODEL, viewed_run

pytestmark = pytest.mark.thorough("viewer/ reads the same pages unopened")


# Of itself, so that it comes first: while the browser's driver is there, no event loop can be run.
@pytest.fixture(scope="module", autouse=True)
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("viewed") / "out"
    viewed_run(out)
    return out


@pytest.fixture(scope="module")
def address(recorded: Path) -> Iterator[str]:
    """Where the run is served."""
    run = Run({str(recorded): read_manifest(str(recorded))}, RenderWorker(Renderer))
    with Viewer(run, 0) as viewer:
        thread = Thread(target=viewer.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield viewer.address
        viewer.shutdown()
        thread.join()
    run.close()


def test_list_narrows_and_leads_to_an_episode_and_back(watched, address):
    page = watched.page
    page.goto(address)
    expect(page.locator("tbody tr")).to_have_count(2)
    page.locator("select[name=condition]").select_option("E4")
    expect(page.locator("tbody tr")).to_have_count(1)
    assert page.url == f"{address}?condition=E4"
    page.locator("tbody tr").first.click()
    shows(page, "selfid E4")
    page.keyboard.press("u")
    expect(page.locator("select[name=condition]")).to_have_value("E4")
    assert watched.complaints == []


def test_arrows_step_and_the_address_follows(watched, address):
    page = watched.page
    page.goto(address)
    open_first(page)
    where = page.locator("#where")
    for key, text, anchor in (
        ("ArrowRight", "step 2 of 4 · asked again", "step-2-try-1"),
        ("ArrowRight", "step 2 of 4", "step-2"),
        ("End", "step 4 of 4", "step-4"),
        ("ArrowRight", "step 4 of 4", "step-4"),
        ("ArrowLeft", "step 3 of 4", "step-3"),
        ("Home", "step 1 of 4", "step-1"),
    ):
        page.keyboard.press(key)
        expect(where).to_have_text(text)
        assert page.url.endswith(f"#{anchor}")
        expect(page.locator(".ask.here")).to_have_count(1)
        expect(page.locator(".ask:visible")).to_have_count(1)
        assert drawn(page, "frame") == [640]
    page.locator(".tracks td[data-ask='4'] a").first.click()
    expect(where).to_have_text("step 3 of 4")
    assert watched.complaints == []


def test_deep_link_opens_its_step_unscrolled(watched, address):
    page = watched.page
    page.goto(address)
    page.goto(page.locator("a.id").first.evaluate("link => link.href") + "#step-3")
    expect(page.locator("#where")).to_have_text("step 3 of 4")
    expect(page.locator(".ask.here .said").first).to_contain_text("step 3")
    assert page.evaluate("window.scrollY") == 0


def test_evidence_takes_the_frame_s_place(watched, address):
    page = watched.page
    page.goto(address)
    open_first(page)
    frame, evidence = (page.locator(f".ask.here img.{name}") for name in ("frame", "evidence"))
    expect(evidence).to_be_hidden()
    page.keyboard.press("e")
    expect(frame).to_be_hidden()
    assert drawn(page, "evidence") == [640]
    page.keyboard.press("ArrowRight")
    expect(evidence).to_be_visible()
    page.keyboard.press("e")
    expect(evidence).to_be_hidden()
    assert drawn(page, "room") == [640]


def test_what_is_opened_stays_open_while_stepping(watched, address):
    page = watched.page
    page.goto(address)
    open_first(page)
    page.keyboard.press("p")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ask.here details[data-kind=prompt] pre").first).to_be_visible()
    page.keyboard.press("End")
    page.locator(".ask.here summary", has_text="Reply as it came").click()
    page.keyboard.press("Home")
    expect(page.locator(".ask.here details[data-kind=raw] pre")).to_be_visible()


def test_brackets_go_to_the_neighbours_under_the_same_filters(watched, address):
    page = watched.page
    page.goto(address)
    open_first(page)
    page.keyboard.press("]")
    shows(page, "selfid E4")
    page.keyboard.press("[")
    shows(page, "selfid E1")


def test_keys_do_no_harm_where_nothing_was_asked(watched, address):
    page = watched.page

    def unasked(route: Route) -> None:
        told = route.fetch()
        body = re.sub(r"(?s)<main>.*</main>", "<main></main>", told.text())
        route.fulfill(response=told, body=body)

    page.goto(address)
    page.route(re.compile("/episode/"), unasked)
    page.locator("a.id").first.click()
    expect(page.locator("body.single")).to_be_visible()
    for key in ("p", "e", "Home", "ArrowRight"):
        page.keyboard.press(key)
    assert watched.complaints == []


@pytest.mark.parametrize(
    "held", [{"ctrlKey": True, "altKey": True}, {"altKey": True}], ids=["AltGr", "Option"]
)
def test_brackets_may_need_other_keys_too(watched, address, held):
    page = watched.page
    page.goto(address)
    open_first(page)
    pressed = "about => document.body.dispatchEvent(new KeyboardEvent('keydown', about))"
    page.evaluate(pressed, {"key": "]", "bubbles": True, **held})
    shows(page, "selfid E4")


def test_what_a_model_wrote_is_text_and_nothing_else(watched, address):
    page = watched.page
    page.goto(address)
    expect(page.locator("tbody tr").first).to_contain_text(HOSTILE_MODEL)
    assert harm(page) is None
    open_first(page)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        text = page.locator(".ask.here").text_content() or ""
        assert "<script>window.harm=1</script>" in text
        assert "{{ 7 * 7 }}" in text
    assert HOSTILE_MODEL in page.title()
    # Nothing it wrote has become an element: all scripts, pictures and links are the viewer's.
    assert page.locator("script").count() == 1
    assert page.locator("[onload], [onerror], [href^='javascript:']").count() == 0
    sources = page.locator("img").evaluate_all("images => images.map(image => image.src)")
    assert all(
        re.fullmatch(rf"{address}episode/[0-9a-f]{{16}}/ask-\d+/[a-z0-9-]+\.png", one)
        for one in sources
    )
    assert harm(page) is None
    assert watched.complaints == []


def test_policy_stops_what_would_get_past_the_escaping(watched, address):
    page = watched.page
    page.goto(address)
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.harm = 6";
            document.body.append(script);
            const holder = document.createElement("div");
            holder.innerHTML = '<img src="data:," onerror="window.harm = 7" style="width: 3px">';
            document.body.append(holder);
        }"""
    )
    refused = [one for one in watched.complaints if "Content Security Policy" in one]
    assert any("script" in one for one in refused)
    assert any("style" in one for one in refused)
    assert harm(page) is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone_in_either_scheme(watched, address, recorded, scheme):
    page = watched.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    ids = page.locator("a.id").all_inner_texts()
    grounds = set()
    for path in ("", "live", f"episode/{ids[0]}", f"pair/{ids[0]}/{ids[1]}"):
        page.goto(f"{address}{path}")
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds == {"rgb(250, 249, 246)" if scheme == "light" else "rgb(23, 23, 26)"}
    assert watched.complaints == []


def test_side_by_side_leads_from_difference_to_difference(watched, address):
    page = watched.page
    page.goto(address)
    open_first(page)
    page.locator("#same-scene a.pair-link").first.click()
    expect(page.locator(".side h2").first).to_contain_text("E1")
    expect(page.locator("#first-difference h2")).to_contain_text("first difference")
    page.keyboard.press("d")
    expect(page.locator("#first-difference")).to_be_in_viewport()
    assert harm(page) is None
    page.keyboard.press("u")
    expect(page.locator("tbody tr")).to_have_count(2)
    assert watched.complaints == []


def test_without_scripts_all_asks_stand_below_each_other(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.locator("select[name=condition]").select_option("E1")
    page.locator("button", has_text="Show").click()
    page.locator("a.id").first.click()
    expect(page.locator(".ask:visible")).to_have_count(5)
    context.close()
