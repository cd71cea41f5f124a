"""The report in a real Chromium: whole without network or scripts, on any width and on paper."""

import json
import re
from pathlib import Path

import pytest
from support.recorded_run import plan_for, record_run

from mirror_ray.cli import main
from mirror_ray.types import Reply

HOSTILE = "</script><script>document.title='owned'</script><img src=http://10.0.0.1/x onerror=x>"


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
    """The report of a run whose first failed episode has a page."""
    out = tmp_path_factory.mktemp("runs") / HOSTILE.replace("/", "")[:60]
    plan = plan_for(out, conditions=("E1", "E5"))
    record_run(plan, says_hostile_things)
    episodes = out / "report" / "episodes"
    episodes.mkdir(parents=True)
    for spec in plan.episodes:
        (episodes / f"{spec.episode_id}.html").write_text("<h1>An episode</h1>")
    assert main(["report", str(out)]) == 0
    return out / "report" / "index.html"


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


def test_contents_lead_to_parts_and_failures_to_episodes(index: Path, watched) -> None:
    watched.page.goto(index.as_uri())
    watched.page.locator("nav a", has_text="How episodes fail").click()
    assert watched.page.locator("#selfid_failures h3").is_visible()
    watched.page.locator("#selfid_failed_examples a[href^=episodes]").first.click()
    assert watched.page.locator("h1").inner_text() == "An episode"


def test_it_prints(index: Path, watched) -> None:
    watched.page.goto(index.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", watched.page.pdf())) > 3
