"""The drawing thread: one for life, watched."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from mirror_ray.core.errors import EngineError, HungError, RenderError
from mirror_ray.core.types import Frame
from mirror_ray.engine.simulator.actor import EXIT_HUNG
from mirror_ray.engine.simulator.render_thread import RenderThread
from mirror_ray.world.opengl.encode import encode
from support.engine.tiny_family import Grey

HANGING = Path(__file__).parents[2] / "support" / "hanging_driver.py"


class Painter:
    """Draws grey squares; level 13 cannot be drawn, level 99 never ends."""

    def __init__(self, release: threading.Event) -> None:
        self.thread = threading.get_ident()
        self.release = release

    def draw(self, view: Grey) -> Frame:
        if view.level == 13:
            raise RenderError("an unlucky level")
        if view.level == 99:
            self.release.wait(20)
        return Frame(
            np.full((2, 3, 3), view.level, np.uint8), {"own": self.thread == threading.get_ident()}
        )


@pytest.fixture
def release():
    event = threading.Event()
    yield event
    event.set()


async def render_thread_of(release, limit_s=20.0, on_hang=print):
    render_thread = RenderThread(lambda: Painter(release), encode, limit_s=limit_s, on_hang=on_hang)
    await render_thread.open()
    return render_thread


async def test_renderer_is_made_and_used_on_one_thread_of_its_own(release):
    render_thread = await render_thread_of(release)
    pictures = [await render_thread.draw(Grey(level)) for level in (1, 2)]
    assert all(picture.facts["own"] for picture in pictures)
    assert (pictures[0].image.width_px, pictures[0].image.height_px) == (3, 2)
    assert pictures[0].image.rgb_sha != pictures[1].image.rgb_sha
    assert render_thread.stats().pictures == 2


async def test_a_view_that_cannot_be_drawn_harms_no_other(release):
    render_thread = await render_thread_of(release)
    with pytest.raises(RenderError, match="unlucky"):
        await render_thread.draw(Grey(13))
    assert (await render_thread.draw(Grey(1))).image.width_px == 3


async def test_a_renderer_that_cannot_be_made_is_told():
    def fail():
        raise RenderError("no GL")

    with pytest.raises(RenderError, match="no GL"):
        await RenderThread(fail, encode, limit_s=20.0, on_hang=print).open()


async def test_a_hanging_driver_is_noticed_and_every_waiting_draw_told(release):
    reasons = []
    render_thread = await render_thread_of(release, limit_s=0.2, on_hang=reasons.append)
    with pytest.raises(EngineError, match=r"longer than 0\.2 s"):
        await render_thread.draw(Grey(99))
    with pytest.raises(EngineError, match="hangs"):
        await render_thread.draw(Grey(1))
    assert len(reasons) == 1


async def test_pictures_that_wait_behind_a_hang_are_told_from_the_one_at_fault(release):
    render_thread = await render_thread_of(release, limit_s=0.2)
    draws = [render_thread.draw(Grey(level)) for level in (99, 1, 2)]
    errors = await asyncio.gather(*draws, return_exceptions=True)
    assert [type(error) for error in errors] == [EngineError, HungError, HungError]


def test_a_process_with_a_hanging_driver_tells_why_and_ends():
    ended = subprocess.run(
        [sys.executable, str(HANGING)], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == EXIT_HUNG
    assert "longer than 0.2 s: the graphics driver hangs" in ended.stdout
    assert "longer than 0.2 s: the graphics driver hangs" in ended.stderr
