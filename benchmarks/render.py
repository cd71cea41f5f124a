"""Measure the cost of a frame with its evidence, against `mujoco.Renderer` at its default quality.

    python benchmarks/render.py [--views 24] [--rounds 3]

Both draw the same room, poses, camera and 640×480 pixels, in turn within one process. Figures are
medians of process CPU time over views, so a busy machine changes them little and their ratio less.
The reference has MuJoCo's defaults: a 4096² shadow map for each light that may cast a shadow, 4×
multisampling, 28 × 16 facets. It yields a picture without evidence. It is timed twice: with one of
the room's five lights casting shadows, and with all of them, which is MuJoCo's default.
"""

import argparse
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from mirror_ray.world.opengl.context import choose_backend

choose_backend()  # MuJoCo's renderer uses the value at the time of import.

import mujoco  # noqa: E402
import numpy as np  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from mirror_ray.core.identity import Cell, EpisodeSpec, seeded  # noqa: E402
from mirror_ray.core.types import View  # noqa: E402
from mirror_ray.families.marktest.scenes import sample_scene  # noqa: E402
from mirror_ray.world.opengl.encode import encode  # noqa: E402
from mirror_ray.world.reaching.scene import ReachView  # noqa: E402
from mirror_ray.world.renderer import Renderer  # noqa: E402
from mirror_ray.world.room.collision import Disc, Floor  # noqa: E402
from mirror_ray.world.room.model import RoomModel  # noqa: E402
from mirror_ray.world.room.motion import Room  # noqa: E402
from mirror_ray.world.room.scene import WALLS, Body, Pose, Scene  # noqa: E402
from mirror_ray.world.room.view import EyeView  # noqa: E402
from sim_assets.colors import COLOR_NAMES  # noqa: E402
from sim_assets.look import Look  # noqa: E402

TARGET = 8.0
LOOKS: tuple[Look, ...] = ("lit", "furnished")
MOST_FOR_A_LOOK = 3.0


def main() -> None:
    """Time everything, and print the table and the machine."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--views", type=int, default=24)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    console = Console()
    table = Table("humanoids", "what", "CPU ms", "ratio", title="Cost of one 640×480 picture")
    ours, reference = Renderer(), Reference()
    for humanoids in (1, 7):
        views = [random_view(humanoids - 1, index) for index in range(chosen.views)]
        frames = {view: ours.draw(view).rgb for view in views}
        draws: dict[str, Callable[[EyeView], object]] = {
            "frame + evidence": ours.draw,
            **{
                f"{look}: frame + evidence": lambda view, look=look: ours.draw(looking(view, look))
                for look in LOOKS
            },
            "PNG of a frame": lambda view, frames=frames: encode(frames[view], "png"),
            "mujoco.Renderer, 1 light with shadow": lambda view: reference.draw(view, 1),
            "mujoco.Renderer, 5 lights with shadow": lambda view: reference.draw(view, 5),
        }
        costs_ms = timed_ms(draws, views, chosen.rounds)
        for name, cost_ms in costs_ms.items():
            ratio = cost_ms / costs_ms["frame + evidence"]
            shown = f"{ratio:.1f}×" if name.startswith(("mujoco", *LOOKS)) else ""
            table.add_row(str(humanoids), name, f"{cost_ms:.1f}", shown)
    reference.close()
    reaches = [reach_view(index) for index in range(chosen.views)]
    for name, cost_ms in timed_ms(
        {"marktest: frame + evidence": ours.draw}, reaches, chosen.rounds
    ).items():
        table.add_row("1", name, f"{cost_ms:.1f}", "")
    console.print(table)
    console.print(f"target: {TARGET:g}× with 1 humanoid and with 7, frame and evidence together")
    console.print(f"limit for a look: {MOST_FOR_A_LOOK:g}× the plain one")
    for line in machine(ours):
        console.print(line, highlight=False)


class Reference:
    """`mujoco.Renderer` on the same room, with MuJoCo's default quality."""

    def __init__(self) -> None:
        self._stage = RoomModel()
        default = mujoco.MjSpec().visual.quality
        quality = self._stage.picture.vis.quality
        for field in ("shadowsize", "offsamples", "numslices", "numstacks", "numquads"):
            setattr(quality, field, getattr(default, field))
        self._renderer = mujoco.Renderer(self._stage.picture, 480, 640)

    def draw(self, view: EyeView, shadows: int) -> np.ndarray:
        """Draw the frame, (480, 640, 3) uint8, with a number of lights that cast a shadow."""
        self._stage.picture.light_castshadow[:] = np.arange(self._stage.picture.nlight) < shadows
        self._stage.show(view, [True] * (1 + len(view.others)))
        self._renderer.update_scene(self._stage.data, "eye")
        return self._renderer.render()

    def close(self) -> None:
        """Free the context, which fails at the interpreter's end."""
        self._renderer.close()


def timed_ms(
    draws: Mapping[str, Callable[[Any], object]], views: Sequence[View], rounds: int
) -> dict[str, float]:
    """Return the median over views of each method's least CPU time over rounds."""
    costs_s: dict[str, list[float]] = {name: [] for name in draws}
    for view in views:
        least_s = dict.fromkeys(draws, float("inf"))
        for _ in range(rounds):
            for name, draw in draws.items():
                begun_s = process_time()
                draw(view)
                least_s[name] = min(least_s[name], process_time() - begun_s)
        for name, cost_s in least_s.items():
            costs_s[name].append(cost_s)
    return {name: 1e3 * median(each) for name, each in costs_s.items()}


def random_view(others: int, index: int) -> EyeView:
    """Return a view with the agent and others anywhere; in every other view it faces the mirror."""
    rng = seeded("benchmark", others, index)
    discs: list[Disc] = []
    while len(discs) < 1 + others:
        x_m, y_m = rng.uniform(-2.7, 2.7, 2).tolist()
        if Floor().is_free(x_m, y_m, 0.35, discs):
            discs.append(Disc(x_m, y_m, 0.35))
    quarter = int(rng.integers(4))
    towards_deg = 90.0 * quarter + 180.0 * (index % 2)
    yaws_deg = [towards_deg % 360.0, *(rng.uniform(0.0, 360.0, others).tolist())]
    bodies = [
        Body(Pose(disc.x_m, disc.y_m, yaw_deg), COLOR_NAMES[i])
        for i, (disc, yaw_deg) in enumerate(zip(discs, yaws_deg, strict=True))
    ]
    scene = Scene(WALLS[quarter], "mirror", bodies[0], others=tuple(bodies[1:]))
    return Room(scene, rng).eye()


def looking(view: EyeView, look: Look) -> EyeView:
    """Return the same view of the room in another look."""
    return replace(view, scene=replace(view.scene, look=look))


def reach_view(index: int) -> ReachView:
    """Return a body in front of a mirror, at the start of an episode of marktest."""
    scene, hand = sample_scene(EpisodeSpec(Cell("marktest", "marked", (), None, "plain"), index, 0))
    return ReachView(scene, hand, 640, 480, "png")


def machine(renderer: Renderer) -> list[str]:
    """Return the machine and versions that determine the figures."""
    gl = renderer.gl
    info = Path("/proc/cpuinfo")
    models = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    cpu = next((line.split(":")[1].strip() for line in models if "model name" in line), "")
    return [
        f"CPU: {cpu or platform.processor() or platform.machine()}, {os.cpu_count()} cores",
        f"GL: {gl.backend}, {gl.vendor}, {gl.renderer}, {gl.version}",
        f"MuJoCo {mujoco.__version__}, NumPy {np.__version__}, Python {platform.python_version()}, "
        f"LP_NUM_THREADS={os.environ.get('LP_NUM_THREADS')}",
    ]


if __name__ == "__main__":
    main()
