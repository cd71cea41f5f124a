"""A process whose graphics driver hangs; the test checks the consequences."""

import asyncio
import sys
from pathlib import Path
from threading import Event

sys.path.insert(0, str(Path(__file__).parents[1]))

from mirror_ray.core.errors import EngineError
from mirror_ray.engine.simulator.actor import exit_hung
from mirror_ray.engine.simulator.render_thread import RenderThread
from mirror_ray.world.opengl.encode import encode
from support.engine.tiny_family import Grey


class Hung:
    def draw(self, _: Grey) -> None:
        Event().wait()


async def main() -> None:
    render_thread = RenderThread(Hung, encode, limit_s=0.2, on_hang=exit_hung)
    await render_thread.open()
    try:
        await render_thread.draw(Grey(1))
    except EngineError as reason:
        print(reason, flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
