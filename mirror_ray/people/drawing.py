"""Draws people's pictures as a run does: on one thread, which starts with the first picture."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from mirror_ray.core.types import View
from mirror_ray.engine.rollout import DrawnPicture
from mirror_ray.engine.simulator.messages import RenderEnvironment, host_facts
from mirror_ray.engine.simulator.render_thread import RenderThread
from mirror_ray.records.environment import cpu_model

LIMIT_S = 30.0


class PersonDrawing:
    """Draws views, on one event loop. `on_drawn` is called once, with the facts for the manifest
    about a host that draws; `on_hang` is called with the reason, once the graphics driver hangs."""

    def __init__(
        self, on_drawn: Callable[[Mapping[str, Any]], None], on_hang: Callable[[str], None]
    ) -> None:
        self._on_drawn, self._on_hang = on_drawn, on_hang
        self._opening: asyncio.Task[RenderThread] | None = None

    async def draw(self, view: View) -> DrawnPicture:
        """Draw and encode a view. Raise RenderError if no usable OpenGL was found, or this view
        cannot be drawn, EngineError if the graphics driver hangs."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        thread = await asyncio.shield(self._opening)
        return await thread.draw(view)

    def close(self) -> None:
        """End the watch over the driver; the rest is freed when the process ends."""
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()

    async def _open(self) -> RenderThread:
        from mirror_ray.world.opengl.context import choose_backend  # noqa: PLC0415
        from mirror_ray.world.opengl.encode import encode  # noqa: PLC0415

        # MuJoCo binds its GL backend when it is imported.
        choose_backend()
        from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

        made: list[Renderer] = []

        def make_renderer() -> Renderer:
            made.append(Renderer())
            return made[0]

        thread = RenderThread(make_renderer, encode, limit_s=LIMIT_S, on_hang=self._on_hang)
        await thread.open()
        environment = RenderEnvironment(cpu_model(), made[0].gl, made[0].drawn_on)
        self._on_drawn(host_facts([environment]))
        return thread
