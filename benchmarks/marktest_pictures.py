"""Draw docs/marktest.png: one scene of marktest in every condition, and a hand on its way.

Usage: python benchmarks/marktest_pictures.py [--seed 4] [--out docs/marktest.png]
"""

import os
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

from PIL import Image, ImageDraw, ImageFont

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.marktest.conditions import CONDITIONS
from mirror_ray.families.marktest.play import way
from mirror_ray.families.marktest.reaching import moved
from mirror_ray.families.marktest.scenes import sample_scene
from mirror_ray.world.reaching.scene import MarkScene, ReachView
from mirror_ray.world.renderer import Renderer

WIDTH_PX, HEIGHT_PX, CAPTION_PX, GAP_PX, ACROSS = 320, 240, 24, 6, 3
SHARES_OF_WAY = (0.4, 0.75, 1.0)


def main() -> None:
    """Draw and save the sheet: two lines of conditions, and one of the moving hand."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("docs/marktest.png"))
    arguments = parser.parse_args()
    renderer = Renderer()
    views = [(name, _first(name, arguments.seed)) for name in CONDITIONS]
    views += _on_the_way(views[0][1])
    tiles = [_tile(renderer, caption, view) for caption, view in views]
    wide, high = WIDTH_PX + GAP_PX, HEIGHT_PX + CAPTION_PX + GAP_PX
    lines = -(-len(tiles) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * wide - GAP_PX, lines * high - GAP_PX), "white")
    for place, tile in enumerate(tiles):
        sheet.paste(tile, (place % ACROSS * wide, place // ACROSS * high))
    sheet.save(arguments.out, optimize=True)
    print(f"{arguments.out}: {sheet.width}×{sheet.height} px")


def _first(condition: str, seed: int) -> ReachView:
    cell = Cell("marktest", condition, (), None, "plain")
    scene, hand = sample_scene(EpisodeSpec(cell, seed, 0))
    return ReachView(scene, hand, 2 * WIDTH_PX, 2 * HEIGHT_PX, "png")


def _on_the_way(first: ReachView) -> list[tuple[str, ReachView]]:
    scene: MarkScene = first.scene
    moves = way(scene, first.hand)
    found = []
    for share in SHARES_OF_WAY:
        hand, steps = first.hand, round(share * len(moves))
        for move in moves[:steps]:
            after = moved(scene, hand, move)
            assert after is not None
            hand = after
        caption = f"marked, after {steps} of {len(moves)} steps"
        found.append((caption, replace(first, hand=hand)))
    return found


def _tile(renderer: Renderer, caption: str, view: ReachView) -> Image.Image:
    tile = Image.new("RGB", (WIDTH_PX, HEIGHT_PX + CAPTION_PX), "white")
    picture = Image.fromarray(renderer.draw(view).rgb)
    tile.paste(picture.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.LANCZOS), (0, CAPTION_PX))
    font = ImageFont.load_default(size=15)
    ImageDraw.Draw(tile).text((2, 3), caption, fill="black", font=font)
    return tile


if __name__ == "__main__":
    main()
