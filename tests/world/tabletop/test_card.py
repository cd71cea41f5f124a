"""What the monkey sees: the card's picture from its own eyes is that of the right option."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from mirror_ray.core.identity import Cell
from mirror_ray.families.flipset.items import ITEMS, L1_STRINGS, QUARTER_ITEMS
from mirror_ray.families.flipset.options import OPTION_KINDS
from mirror_ray.families.flipset.settings import Settings
from mirror_ray.families.flipset.trials import type_size_of_set
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.tabletop.card import (
    CardView,
    around_card,
    capital_height_px,
    eye_of,
    monkey_gap_m,
    on_picture,
)
from sim_assets.lettering import lettering
from sim_assets.monkey import MONKEY_EYE_FORWARD_M, MONKEY_EYE_HEIGHT_M
from sim_assets.tabletop import CARD_DEPTH_M, CARD_WIDTH_M, SCREEN_HEIGHT_M
from support.whole import mostly_thorough

SHEET_PX = (480, 336)
SET_SIZE_PX = type_size_of_set(
    Settings.of(Cell("flipset", "L2", (("subject", "m"),), None, "paper"))
)
CELL_PX = 288
INK = 110

Floats = NDArray[np.float64]


def view_of(text: str, monkey_deg: int | None = 180, **changes: object) -> CardView:
    return replace(CardView(text, monkey_deg, "none", 640, 480, "png"), **changes)  # type: ignore[arg-type]


def straightened(renderer: Renderer, view: CardView) -> Floats:
    """The card's darkness in the picture, in the card's own frame: rows run downwards."""
    grey = renderer.draw(view).rgb.mean(axis=2)
    width, height = SHEET_PX
    x = ((np.arange(width) + 0.5) / width - 0.5) * CARD_WIDTH_M
    y = (0.5 - (np.arange(height) + 0.5) / height) * CARD_DEPTH_M
    places = np.stack([*np.meshgrid(x, y), np.full((height, width), 0.0035)], axis=-1)
    spots = on_picture(view, places) - 0.5
    return 255.0 - _between(grey, spots[..., 0], spots[..., 1])


def _between(grey: Floats, x: Floats, y: Floats) -> Floats:
    left, top = x.astype(int), y.astype(int)
    across, down = x - left, y - top
    upper = grey[top, left] * (1 - across) + grey[top, left + 1] * across
    lower = grey[top + 1, left] * (1 - across) + grey[top + 1, left + 1] * across
    mixed: Floats = upper * (1 - down) + lower * down
    return mixed


def glyphs(sheet: Floats) -> list[Floats]:
    """The characters, from left to right: what stands between columns without ink."""
    inner = sheet[8:-8, 8:-8]
    has_ink = np.concatenate([[False], (inner > INK).any(axis=0), [False]]).astype(int)
    edges = np.flatnonzero(np.diff(has_ink))
    found = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        glyph = inner[:, start:end]
        rows = np.flatnonzero((glyph > INK).any(axis=1))
        found.append(glyph[rows[0] : rows[-1] + 1])
    return found


def likeness(seen: Floats, text: str) -> float:
    """Mean correlation of the characters, each laid over the other as well as it can be."""
    pairs = glyphs(seen), glyphs(255.0 - lettering(text, *SHEET_PX))
    if len(pairs[0]) != len(pairs[1]):
        return -1.0
    return float(np.mean([_overlap(a, b) for a, b in zip(*pairs, strict=True)]))


def _overlap(one: Floats, other: Floats) -> float:
    padded = [np.zeros((CELL_PX, CELL_PX)) for _ in range(2)]
    for cell, glyph in zip(padded, (one, other), strict=True):
        cell[: glyph.shape[0], : glyph.shape[1]] = glyph
    a, b = padded
    shifted = np.fft.irfft2(np.fft.rfft2(a) * np.conj(np.fft.rfft2(b)), s=a.shape)
    return float(shifted.max() / np.sqrt((a**2).sum() * (b**2).sum()))


CARDS = [(item, 180) for item in ITEMS] + [
    (item, angle_deg) for angle_deg, items in QUARTER_ITEMS.items() for item in items
]


@pytest.mark.parametrize(
    ("item", "angle_deg"), mostly_thorough(3, CARDS), ids=lambda part: getattr(part, "text", part)
)
def test_the_monkey_sees_the_right_option(renderer: Renderer, item, angle_deg: int) -> None:
    sheet = straightened(renderer, view_of(item.text, angle_deg, eye="monkey"))
    # It is the card itself that is seen, whole and undistorted…
    printed = 255.0 - lettering(item.text, *SHEET_PX)
    assert np.corrcoef(sheet.ravel(), printed.ravel())[0, 1] > 0.95
    # …and as it lies before the monkey, turned clockwise, it reads as the right option does.
    seen = np.rot90(sheet, -angle_deg // 90)
    likenesses = {kind: likeness(seen, item.options.text(kind)) for kind in OPTION_KINDS}
    assert max(likenesses, key=lambda kind: likenesses[kind]) == "correct"


@pytest.mark.parametrize("monkey_deg", [90, 180, 270])
def test_the_monkeys_right_hand_is_where_the_turn_says(monkey_deg: int) -> None:
    """Along its picture's columns lies the card's x axis turned clockwise by the monkey's place."""
    view = view_of("d", monkey_deg, eye="monkey")
    along = on_picture(view, np.array([0.02, 0.0, 0.0])) - on_picture(view, np.zeros(3))
    direction = {90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}[monkey_deg]
    assert along / np.linalg.norm(along) == pytest.approx(direction, abs=0.02)


@pytest.mark.parametrize("item", mostly_thorough(3, ITEMS), ids=lambda item: item.text)
def test_the_viewer_reads_the_card_upright(renderer: Renderer, item) -> None:
    sheet = straightened(renderer, view_of(item.text))
    likenesses = {kind: likeness(sheet, item.options.text(kind)) for kind in OPTION_KINDS}
    assert max(likenesses, key=lambda kind: likenesses[kind]) == "egocentric"


@pytest.mark.parametrize("monkey_deg", [90, 180, 270])
@pytest.mark.parametrize("screen", ["between", "behind"])
def test_a_screen_between_hides_the_card_and_behind_hides_nothing(
    renderer: Renderer, monkey_deg: int, screen: str
) -> None:
    view = view_of(L1_STRINGS[0], monkey_deg, screen=screen)
    viewer = renderer.draw(view).facts
    monkey = renderer.draw(replace(view, eye="monkey")).facts
    assert viewer["card_px"] > 6_000
    assert viewer["monkey_px"] > 3_000
    assert (monkey["card_px"] == 0) == (screen == "between")


def test_facts_are_those_of_the_picture(renderer: Renderer) -> None:
    frame = renderer.draw(view_of("168"))
    whole = renderer.draw(view_of("168", None))
    # Nothing hides the card: with or without the monkey as much of it is seen.
    assert frame.facts["card_px"] == whole.facts["card_px"]
    assert (whole.facts["monkey_px"], frame.facts["screen_px"]) == (0, 0)
    # Counted otherwise: what the monkey changes much is part of it, what it changes at all is part
    # of it or of its shadow.
    change = np.abs(frame.rgb.astype(int) - whole.rgb.astype(int)).max(axis=2)
    assert np.count_nonzero(change > 60) < frame.facts["monkey_px"] < np.count_nonzero(change)
    assert frame.facts["text_height_px"] == round(capital_height_px(view_of("168")), 1)


@pytest.mark.parametrize(
    ("width_px", "height_px", "least_px"), [(320, 240, 19), (640, 480, 38), (1280, 960, 79)]
)
def test_every_text_can_be_read_at_every_size(
    width_px: int, height_px: int, least_px: float
) -> None:
    heights = [
        capital_height_px(
            view_of(item.text, width_px=width_px, height_px=height_px, type_size_px=SET_SIZE_PX)
        )
        for item in ITEMS
    ]
    assert min(heights) > least_px
    assert max(heights) == min(heights)


def test_pixels_depend_on_the_view_alone(renderer: Renderer) -> None:
    views = [view_of("pond"), view_of("81", 90), view_of("pond", 180, screen="behind")]
    first = [renderer.draw(view) for view in views]
    second = [renderer.draw(view) for view in reversed(views)][::-1]
    other = Renderer()
    third = [other.draw(view) for view in views]
    other.close()
    for frames in zip(first, second, third, strict=True):
        assert len({frame.rgb.tobytes() for frame in frames}) == 1
        assert frames[0].facts == frames[1].facts == frames[2].facts


def test_nobody_looks_through_the_eyes_of_an_absent_monkey() -> None:
    with pytest.raises(ValueError, match="no monkey"):
        eye_of(view_of("d", None, eye="monkey"))


def test_a_standing_card_shows_its_text_to_the_viewer_and_its_back_to_the_monkey(
    renderer: Renderer,
) -> None:
    view = view_of("168", stands=True, type_size_px=SET_SIZE_PX)
    frame = renderer.draw(view)
    assert frame.facts["card_px"] > 30_000
    assert frame.facts["monkey_px"] > 10_000
    assert frame.facts["text_height_px"] > 40
    back = renderer.draw(replace(view, eye="monkey"))
    assert back.facts["card_px"] > 30_000
    other = renderer.draw(replace(view, eye="monkey", text="pond"))
    assert np.array_equal(back.rgb, other.rgb), "nothing is printed on the back"
    assert not np.array_equal(frame.rgb, renderer.draw(replace(view, text="pond")).rgb)


@pytest.mark.parametrize("monkey_deg", [90, 180, 270])
def test_the_monkey_does_not_look_over_the_screen(monkey_deg: int) -> None:
    assert SCREEN_HEIGHT_M > MONKEY_EYE_HEIGHT_M
    view = view_of("168", monkey_deg, screen="between")
    place, yaw = around_card(monkey_deg, monkey_gap_m(view))
    ahead = np.array([-np.sin(yaw), np.cos(yaw), 0.0])
    eyes = on_picture(
        view, place + MONKEY_EYE_FORWARD_M * ahead + np.array([0.0, 0.0, MONKEY_EYE_HEIGHT_M])
    )
    assert (eyes > 0).all()
    assert eyes[0] < 640


@pytest.mark.parametrize("monkey_deg", [90, 180, 270])
@pytest.mark.parametrize("screen", ["none", "between", "behind"])
def test_the_picture_does_not_cut_the_monkey_off(
    renderer: Renderer, monkey_deg: int, screen: str
) -> None:
    """Without its tail's end: nothing of it is at the picture's edge."""
    view = view_of("168", monkey_deg, screen=screen)
    with_monkey = renderer.draw(view).rgb.astype(int)
    edges = np.concatenate([with_monkey[:, 0], with_monkey[:, -1]])
    brown = (edges[:, 0] - edges[:, 2] > 25) & (edges[:, 0] < 100)
    assert brown.mean() < 0.02
