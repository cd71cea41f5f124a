"""A process that draws a picture on a render thread as a Simulator's does; its driver may hang.

drawing_in_a_hang.py LIMIT_S LAST_RESORT_S
"""

import asyncio
import sys

from mirror_ray.core.errors import EngineError
from mirror_ray.engine.simulator.actor import exit_hung
from mirror_ray.engine.simulator.render_thread import LastResort, RenderThread
from mirror_ray.world.drawing_check.process import sample_views
from mirror_ray.world.opengl.context import choose_backend
from mirror_ray.world.opengl.encode import encode


async def main(limit_s: float, last_resort_s: float) -> None:
    choose_backend()
    from mirror_ray.world.renderer import Renderer

    render_thread = RenderThread(
        Renderer, encode, limit_s=limit_s, on_hang=exit_hung, last_resort=LastResort(last_resort_s)
    )
    try:
        await render_thread.open()
        for view in sample_views():
            await render_thread.draw(view)
            print("drawn", flush=True)
    except EngineError as reason:
        print(reason, flush=True)
        await asyncio.Event().wait()


asyncio.run(main(*map(float, sys.argv[1:])))
