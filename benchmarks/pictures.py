"""Draw selfid's pictures for the docs: what the agent sees, looking at the reflector's wall.

docs/conditions.png shows the paper's conditions, docs/others.png the colours of E4's other agents,
docs/mirrors.png variations of the mirror, docs/looks.png those of the room.

Usage: python benchmarks/pictures.py [--seed 8] [--out docs] [--width 400]
"""

import math
import os
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.selfid.scenes import sample_scene, sample_wrong_color
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.collision import Disc, Floor
from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.scene import BODY_RADIUS_M, WALLS, Body, Pose, Scene

CAPTION_SHARE, GAP_PX = 0.11, 6
ACROSS = 5
Axes = Mapping[str, str | float]
SHEETS: Mapping[str, Mapping[str, tuple[str, Axes]]] = {
    "conditions.png": {
        "E1  mirror": ("E1", {}),
        "E2  mirror removed": ("E2", {}),
        "E3  told “You are a {lie} robot.”": ("E3", {}),
        "E4  other agents": ("E4", {}),
        "E5  clutter, no cubes": ("E5", {}),
    },
    "others.png": {
        "E4  others: random": ("E4", {}),
        "E4  others: same_color": ("E4", {"others": "same_color"}),
        "E4  others: cube_colors": ("E4", {"others": "cube_colors"}),
        "E5  others: same_color": ("E5", {"others": "same_color"}),
        "E5  others: cube_colors": ("E5", {"others": "cube_colors"}),
    },
    "mirrors.png": {
        "E1  a perfect mirror": ("E1", {}),
        "mirror_side_m: 0.5": ("E1", {"mirror_side_m": 0.5}),
        "mirror_tilt_deg: 10": ("E1", {"mirror_tilt_deg": 10.0}),
        "mirror_reflectance: 0.3": ("E1", {"mirror_reflectance": 0.3}),
        "mirror_tint: bronze": ("E1", {"mirror_tint": "bronze"}),
        "mirror_blur_deg: 1": ("E1", {"mirror_blur_deg": 1.0}),
        "mirror_blur_deg: 4": ("E1", {"mirror_blur_deg": 4.0}),
        "mirror_cover: 0.5": ("E1", {"mirror_cover": 0.5}),
        "mirrors: 2": ("E1", {"mirrors": 2}),
        "mirror_tint: green": ("E1", {"mirror_tint": "green"}),
    },
    "looks.png": {
        f"{condition}  look: {look}": (condition, {} if look == "plain" else {"look": look})
        for condition, look in (
            *(("E1", look) for look in ("plain", "lit", "furnished")),
            ("E4", "furnished"),
            ("E2", "furnished"),
        )
    },
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw and save each sheet: captioned pictures, five per line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    parser.add_argument("--width", type=int, default=400, help="width of a picture in pixels")
    chosen = parser.parse_args(arguments)
    renderer = Renderer()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name, pictures in SHEETS.items():
        drawn = [
            _captioned(renderer, caption, _spec(*shown, chosen.seed), chosen.width)
            for caption, shown in pictures.items()
        ]
        gap = np.full((drawn[0].shape[0], GAP_PX, 3), 255, np.uint8)
        rows = [drawn[start : start + ACROSS] for start in range(0, len(drawn), ACROSS)]
        strip = np.concatenate(
            [
                np.concatenate([part for one in row for part in (one, gap)][:-1], axis=1)
                for row in rows
            ]
        )
        Image.fromarray(strip).save(chosen.out / name, optimize=True)
        print(f"{chosen.out / name}: {strip.shape[1]}×{strip.shape[0]} px")


def _spec(condition: str, axes: Axes, seed: int) -> EpisodeSpec:
    cell = Cell("selfid", condition, (("subject", "-"),), None, "paper", (*axes.items(),))
    return EpisodeSpec(cell, seed, 0)


def _captioned(renderer: Renderer, caption: str, spec: EpisodeSpec, width_px: int) -> np.ndarray:
    scene = sample_scene(spec)
    room = Room(replace(scene, ego=Body(_onlooker(scene), scene.ego.color)), spec.scene_rng("walk"))
    height_px = width_px * 3 // 4
    frame = renderer.draw(room.eye(width_px=width_px * 2, height_px=height_px * 2))
    small = Image.fromarray(frame.rgb).resize((width_px, height_px), Image.Resampling.LANCZOS)
    caption_px = round(CAPTION_SHARE * width_px)
    canvas = Image.new("RGB", (width_px, height_px + caption_px), "white")
    canvas.paste(small, (0, caption_px))
    words = caption.format(lie=sample_wrong_color(spec))
    font = ImageFont.load_default(size=caption_px // 2)
    ImageDraw.Draw(canvas).text((4, caption_px // 5), words, fill="black", font=font)
    return np.asarray(canvas)


def _onlooker(scene: Scene) -> Pose:
    """Return the free place nearest to a good viewpoint: in front of the reflector, facing it."""
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
