"""Draws docs/conditions.png: what the agent sees in each condition, looking at the reflector wall.

Usage: python benchmarks/pictures.py [--seed 8] [--out docs/conditions.png]
"""

import math
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mirror_ray.identity import Cell, EpisodeSpec
from mirror_ray.tasks.selfid.conditions import CONDITIONS
from mirror_ray.tasks.selfid.scenes import sample_scene, sample_wrong_color
from mirror_ray.world.collision import Disc, Floor
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room import Room
from mirror_ray.world.scene import BODY_RADIUS_M, WALLS, Body, Pose, Scene

WIDTH_PX, HEIGHT_PX, CAPTION_PX, GAP_PX = 400, 300, 44, 6
CAPTIONS = {
    "E1": "E1  mirror",
    "E2": "E2  mirror removed",
    "E3": "E3  told “You are a {lie} robot.”",
    "E4": "E4  other agents",
    "E5": "E5  clutter, no cubes",
}


def main() -> None:
    """Draws and saves the strip."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("docs/conditions.png"))
    arguments = parser.parse_args()

    renderer = Renderer()
    pictures = [_captioned(renderer, condition, arguments.seed) for condition in CONDITIONS]
    gap = np.full((HEIGHT_PX + CAPTION_PX, GAP_PX, 3), 255, np.uint8)
    strip = np.concatenate([part for picture in pictures for part in (picture, gap)][:-1], axis=1)
    arguments.out.parent.mkdir(exist_ok=True)
    Image.fromarray(strip).save(arguments.out, optimize=True)
    print(f"{arguments.out}: {strip.shape[1]}×{strip.shape[0]} px")


def _captioned(renderer: Renderer, condition: str, seed: int) -> np.ndarray:
    spec = EpisodeSpec(Cell("selfid", condition, (("subject", "-"),), None, "paper"), seed, 0)
    scene = sample_scene(spec)
    room = Room(replace(scene, ego=Body(_onlooker(scene), scene.ego.color)), spec.scene_rng("walk"))
    frame = renderer.draw(room.eye(width_px=WIDTH_PX * 2, height_px=HEIGHT_PX * 2))
    small = Image.fromarray(frame.rgb).resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.LANCZOS)
    canvas = Image.new("RGB", (WIDTH_PX, HEIGHT_PX + CAPTION_PX), "white")
    canvas.paste(small, (0, CAPTION_PX))
    caption = CAPTIONS[condition].format(lie=sample_wrong_color(spec))
    font = ImageFont.load_default(size=22)
    ImageDraw.Draw(canvas).text((4, 8), caption, fill="black", font=font)
    return np.asarray(canvas)


def _onlooker(scene: Scene) -> Pose:
    """The free place nearest to one good for looking: before the reflector, facing it."""
    heading = 90.0 * WALLS.index(scene.reflector_wall)
    others = [Disc(body.pose.x_m, body.pose.y_m, 0.4) for body in scene.others]
    floor = Floor(scene.cubes + scene.clutter)
    cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    for ahead_m, aside_m in _offsets():
        x_m, y_m = cos * ahead_m - sin * aside_m, sin * ahead_m + cos * aside_m
        if floor.is_free(x_m, y_m, BODY_RADIUS_M, others):
            return Pose(x_m, y_m, heading)
    raise SystemExit(f"nobody can stand before the {scene.reflector_wall} wall")


def _offsets() -> Iterator[tuple[float, float]]:
    places = [(1.9 - 0.1 * i, 0.1 * j) for i in range(20) for j in range(-8, 9)]
    return iter(sorted(places, key=lambda place: math.hypot(place[0] - 1.9, place[1])))


if __name__ == "__main__":
    main()
