"""The live page in a real Chromium: a run's progress as it comes, whoever else looks or hangs."""

import json
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Semaphore, Thread
from time import sleep

import pytest
from playwright.sync_api import expect

from mirror_ray.core.types import Attempt, Reply, Request
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.frame_renderer import RenderWorker
from mirror_ray.viewer.run import Run
from mirror_ray.viewer.server import Viewer
from mirror_ray.world.renderer import Renderer
from support.recorded_run import plan_for
from support.run_in_progress import in_progress, play

pytestmark = pytest.mark.thorough("viewer/test_viewer_live.py reads the same page unopened")

RUNS = 5
HOSTILE = "<script>window.harm=1</script>"


@dataclass
class Playing:
    """A run that plays an episode whenever it is let."""

    address: str
    may: Semaphore
    run: Thread


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Playing]:
    may = Semaphore(0)
    plan = plan_for(tmp_path / "out", runs=RUNS)

    def says(_: Request) -> Reply:
        may.acquire()
        refused = Attempt("2026-01-01T00:00:00+00:00", 0.1, "rate_limit", HOSTILE, None)
        decided = {
            "view-description": HOSTILE,
            "reasoning": HOSTILE,
            "action": "done",
            "summary": HOSTILE,
            "selected_cube": "red",
            "identification": "red",
        }
        return Reply(json.dumps(decided), cost_usd=0.5, failed_attempts=(refused,), attempts=2)

    # An event loop of its own: the browser's driver has this thread's.
    async def play_all(recorder: Recorder) -> None:
        for number in range(RUNS):
            await play(plan, says, recorder, number)

    playing = Thread(target=in_progress, args=(plan, play_all), kwargs={"seal_after": 2})
    playing.start()
    while not (tmp_path / "out" / "manifest.json").exists():
        sleep(0.02)
    out = plan.sweep.out
    run = Run({out: read_manifest(out)}, RenderWorker(Renderer))
    with Viewer(run, 0) as viewer:
        serving = Thread(target=viewer.serve_forever, args=(0.02,), daemon=True)
        serving.start()
        yield Playing(viewer.live_address, may, playing)
        may.release(RUNS)
        playing.join()
        viewer.shutdown()
        serving.join()
    run.close()


def test_progress_comes_by_itself_however_many_readers_hang(watched, playing: Playing) -> None:
    page = watched.page
    page.goto(playing.address)
    expect(page.locator(".status")).to_have_text("running")
    expect(page.locator("#ended")).to_have_text("0")
    hanging = []
    for n in range(1, RUNS):
        # A reader that asks again and again, and reads nothing.
        host, _, port = playing.address.split("/")[2].partition(":")
        one = socket.create_connection((host, int(port)))
        one.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n" * 15)
        hanging.append(one)
        playing.may.release()
        expect(page.locator("#ended")).to_have_text(str(n))
        expect(page.locator("[data-part=latest] tbody tr")).to_have_count(n)
        # What it came to, at the latest a second after it has ended.
        pill = page.locator("[data-part=latest] tbody tr").first.locator("td").first
        expect(pill).to_have_text(re.compile("✓ right|✗ wrong"))
        expect(page.locator("#money")).to_have_text(f"at least ${n * 0.5:.2f}")
        expect(page.locator("[data-part=figures]")).to_contain_text(f"rate_limit ×{n}")
    # The first are sealed by now: their pages are there, and the list knows them.
    page.locator("[data-part=latest] a.id").last.click()
    expect(page.locator("h1")).to_contain_text("selfid E1")
    page.goto(playing.address)
    playing.may.release()
    expect(page.locator(".status")).to_have_text("finished")
    assert not playing.run.is_alive()
    assert page.evaluate("window.harm") is None
    assert watched.complaints == []
    for one in hanging:
        one.close()


def test_a_viewer_that_ends_is_said_to(watched, playing: Playing) -> None:
    page = watched.page
    page.goto(playing.address)
    expect(page.locator("#link.on")).to_be_visible()
    watched.page.context.set_offline(True)
    expect(page.locator("#link")).to_have_text("the viewer does not answer")
    watched.page.context.set_offline(False)
    expect(page.locator("#link.on")).to_be_visible()
