"""Draw docs/mirrorqa.png: questions of MirrorQA's simulation, each scene directly and mirrored.

Usage: python benchmarks/mirrorqa_pictures.py [--items 12 1 …] [--out docs/mirrorqa.png]
"""

import os
from argparse import ArgumentParser
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

from PIL import Image, ImageDraw, ImageFont

from mirror_ray.families.mirrorqa.sim import sim_item
from mirror_ray.world.renderer import Renderer

WIDTH_PX, HEIGHT_PX, CAPTION_PX, GAP_PX, ACROSS = 300, 225, 26, 6, 2
ITEMS = (12, 3, 13, 10, 1, 48)


def main() -> None:
    """Draw and save the sheet, two pairs per line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, nargs="+", default=ITEMS)
    parser.add_argument("--out", type=Path, default=Path("docs/mirrorqa.png"))
    arguments = parser.parse_args()
    renderer = Renderer()
    pairs = [_pair(renderer, index) for index in arguments.items]
    lines = -(-len(pairs) // ACROSS)
    width, height = pairs[0].width + 4 * GAP_PX, pairs[0].height + GAP_PX
    sheet = Image.new("RGB", (ACROSS * width - 4 * GAP_PX, lines * height - GAP_PX), "white")
    for place, pair in enumerate(pairs):
        sheet.paste(pair, (place % ACROSS * width, place // ACROSS * height))
    sheet.save(arguments.out, optimize=True)
    print(f"{arguments.out}: {sheet.width}×{sheet.height} px")


def _pair(renderer: Renderer, index: int) -> Image.Image:
    pair = Image.new("RGB", (2 * WIDTH_PX + GAP_PX, HEIGHT_PX + CAPTION_PX), "white")
    for place, reflected in enumerate((False, True)):
        made = sim_item(
            index,
            0,
            reflected=reflected,
            width_px=2 * WIDTH_PX,
            height_px=2 * HEIGHT_PX,
            encoding="png",
        )
        assert made.item.view is not None
        picture = Image.fromarray(renderer.draw(made.item.view).rgb)
        small = picture.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.LANCZOS)
        pair.paste(small, (place * (WIDTH_PX + GAP_PX), CAPTION_PX))
    caption = f"{made.item.question}  {made.item.answer}"
    font = ImageFont.load_default(size=15)
    ImageDraw.Draw(pair).text((2, 4), caption, fill="black", font=font)
    return pair


if __name__ == "__main__":
    main()
