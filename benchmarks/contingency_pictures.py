"""Draw docs/contingency.png: one scene of contingency in every condition, after five moves.

Usage: python benchmarks/contingency_pictures.py [--seed 4] [--out docs/contingency.png]
"""

import os
from argparse import ArgumentParser
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

from PIL import Image, ImageDraw, ImageFont

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.contingency.conditions import CONDITIONS
from mirror_ray.families.contingency.moving import HandMove
from mirror_ray.families.contingency.play import screens_after
from mirror_ray.families.contingency.scenes import sample_screens
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.screens.scene import ScreensView

MOVES: tuple[HandMove, ...] = ("left", "up", "right", "right", "down")
WIDTH_PX, HEIGHT_PX, CAPTION_PX, GAP_PX, ACROSS = 480, 200, 24, 8, 2


def main() -> None:
    """Draw and save the sheet, two conditions per line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path("docs/contingency.png"))
    arguments = parser.parse_args()
    renderer = Renderer()
    tiles = [_tile(renderer, name, arguments.seed) for name in CONDITIONS]
    wide, high = WIDTH_PX + GAP_PX, HEIGHT_PX + CAPTION_PX + GAP_PX
    lines = -(-len(tiles) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * wide - GAP_PX, lines * high - GAP_PX), "white")
    for place, tile in enumerate(tiles):
        sheet.paste(tile, (place % ACROSS * wide, place // ACROSS * high))
    sheet.save(arguments.out, optimize=True)
    print(f"{arguments.out}: {sheet.width}×{sheet.height} px")


def _tile(renderer: Renderer, condition: str, seed: int) -> Image.Image:
    spec = EpisodeSpec(Cell("contingency", condition, (), None, "plain"), seed, 0)
    screens = sample_screens(spec)
    shown = screens_after(screens, MOVES, delay=2)
    view = ScreensView(shown, 2 * WIDTH_PX, 2 * HEIGHT_PX, "png")
    tile = Image.new("RGB", (WIDTH_PX, HEIGHT_PX + CAPTION_PX), "white")
    picture = Image.fromarray(renderer.draw(view).rgb)
    tile.paste(picture.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.LANCZOS), (0, CAPTION_PX))
    caption = f"{condition}: shirt {screens.shirts['own']}, own image {screens.own or 'not there'}"
    font = ImageFont.load_default(size=15)
    ImageDraw.Draw(tile).text((2, 3), caption, fill="black", font=font)
    return tile


if __name__ == "__main__":
    main()
