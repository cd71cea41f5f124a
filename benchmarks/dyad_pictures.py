"""Draw docs/dyad.png: what both models of a room see at one moment, and the room from above.

Usage: python benchmarks/dyad_pictures.py [--seed 3] [--out docs/dyad.png]
"""

import os
from argparse import ArgumentParser
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.dyad.scenes import sample_scene
from mirror_ray.families.dyad.settings import FOV_DEG
from mirror_ray.replay.film.floor_plan import floor_plan
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.scene import ROOM_SIDE_M, WALLS, Body, Pose, Scene
from mirror_ray.world.room.shared_room import SharedRoom

SHOWN = ("mirror", "no-mirror", "alike")
WIDTH_PX, HEIGHT_PX, CAPTION_PX, GAP_PX = 360, 270, 24, 8
STANDS_M_DEG = ((1.7, -0.55, 12.0), (1.9, 0.65, -15.0))
"""Of each body: distance from the mirror, sideways offset, and angle from facing it."""


def main() -> None:
    """Draw and save the sheet, one condition per line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("docs/dyad.png"))
    arguments = parser.parse_args()
    renderer = Renderer()
    lines = [_line(renderer, name, arguments.seed) for name in SHOWN]
    sheet = Image.new(
        "RGB", (lines[0].width, len(lines) * (lines[0].height + GAP_PX) - GAP_PX), "white"
    )
    for place, line in enumerate(lines):
        sheet.paste(line, (0, place * (line.height + GAP_PX)))
    sheet.save(arguments.out, optimize=True)
    print(f"{arguments.out}: {sheet.width}×{sheet.height} px")


def _line(renderer: Renderer, condition: str, seed: int) -> Image.Image:
    spec = EpisodeSpec(Cell("dyad", condition, (), None, "plain"), seed, 0)
    scene = _before_the_mirror(sample_scene(spec))
    room = SharedRoom(scene, np.random.default_rng(0))
    views = [
        room.eye(
            body, width_px=2 * WIDTH_PX, height_px=2 * HEIGHT_PX, fov_deg=FOV_DEG, encoding="png"
        )
        for body in range(2)
    ]
    line = Image.new("RGB", (2 * (WIDTH_PX + GAP_PX) + HEIGHT_PX, HEIGHT_PX + CAPTION_PX), "white")
    draw, font = ImageDraw.Draw(line), ImageFont.load_default(size=15)
    for body, view in enumerate(views):
        picture = Image.fromarray(renderer.draw(view).rgb)
        small = picture.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.LANCZOS)
        left = body * (WIDTH_PX + GAP_PX)
        line.paste(small, (left, CAPTION_PX))
        whose = f"{condition}: what the {'subject' if body == 0 else 'partner'} sees, who is "
        draw.text((left + 2, 3), whose + view.scene.ego.color, fill="black", font=font)
    left = 2 * (WIDTH_PX + GAP_PX)
    line.paste(floor_plan(views[0], [views[0].ego.pose], HEIGHT_PX), (left, CAPTION_PX))
    draw.text((left + 2, 3), "the room from above", fill="black", font=font)
    return line


def _before_the_mirror(scene: Scene) -> Scene:
    """Return the scene with both bodies in front of the mirror and facing it."""
    toward = 90.0 * WALLS.index(scene.reflector_wall)
    ahead = np.array([cos(radians(toward)), sin(radians(toward))])
    left = np.array([-ahead[1], ahead[0]])
    poses = []
    for before_m, aside_m, off_deg in STANDS_M_DEG:
        x_m, y_m = (ROOM_SIDE_M / 2 - before_m) * ahead + aside_m * left
        poses.append(Pose(float(x_m), float(y_m), (toward + off_deg) % 360))
    (other,) = scene.others
    return replace(
        scene, ego=Body(poses[0], scene.ego.color), others=(Body(poses[1], other.color),)
    )


if __name__ == "__main__":
    main()
