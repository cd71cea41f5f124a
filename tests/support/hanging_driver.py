"""A process whose graphics driver hangs: what becomes of it is the test's business."""

import asyncio
import sys
from pathlib import Path
from threading import Event

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

from tiny_family import Grey

from mirror_ray.engine.drawing import Easel
from mirror_ray.engine.simulator import die_of_hanging
from mirror_ray.errors import EngineError
from mirror_ray.world.encode import encode


class Hung:
    def draw(self, _: Grey) -> None:
        Event().wait()


async def main() -> None:
    easel = Easel(Hung, encode, limit_s=0.2, on_hang=die_of_hanging)
    await easel.open()
    try:
        await easel.draw(Grey(1))
    except EngineError as reason:
        print(reason, flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
