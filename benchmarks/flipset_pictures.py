"""Draw docs/flipset.png: the pictures of FlipSet's conditions, and the monkey's view of a card.

Usage: python benchmarks/flipset_pictures.py [--out docs/flipset.png]
"""

import os
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "egl")

from PIL import Image, ImageDraw, ImageFont

from mirror_ray.world.renderer import Renderer
from mirror_ray.world.tabletop.card import CardView

WIDTH_PX, HEIGHT_PX, CAPTION_PX, GAP_PX, ACROSS = 420, 315, 30, 14, 3
_OPPOSITE = CardView("168", 180, "none", 2 * WIDTH_PX, 2 * HEIGHT_PX, "png", type_size_px=319)
VIEWS = {
    "L2 · the viewer's picture": _OPPOSITE,
    "what the monkey sees": replace(_OPPOSITE, eye="monkey"),
    "scene: upright": replace(_OPPOSITE, stands=True),
    "L1 · hidden": replace(_OPPOSITE, text="d", screen="between"),
    "L1 · visible": replace(_OPPOSITE, text="d", screen="behind"),
    "the monkey at the side": replace(_OPPOSITE, text="<", monkey_deg=90),
}


def main() -> None:
    """Draw and save the sheet: three captioned pictures per line."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/flipset.png"))
    arguments = parser.parse_args()
    renderer = Renderer()
    lines = -(-len(VIEWS) // ACROSS)
    width, height = WIDTH_PX + GAP_PX, HEIGHT_PX + CAPTION_PX + GAP_PX
    sheet = Image.new("RGB", (ACROSS * width + GAP_PX, lines * height + GAP_PX), "white")
    caption = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=19)
    for place, (words, view) in enumerate(VIEWS.items()):
        left, top = GAP_PX + place % ACROSS * width, GAP_PX + place // ACROSS * height
        picture = Image.fromarray(renderer.draw(view).rgb)
        small = picture.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.LANCZOS)
        sheet.paste(small, (left, top + CAPTION_PX))
        caption.text((left, top), words, fill="#4a4036", font=font)
    sheet.quantize(256, dither=Image.Dither.NONE).save(arguments.out, optimize=True)
    print(f"{arguments.out}: {sheet.width}×{sheet.height} px")


if __name__ == "__main__":
    main()
