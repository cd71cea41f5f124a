"""Items of the simulation: every one is drawn, and what is asked about is seen."""

import pytest

from mirror_ray.families.mirrorqa.item import FOUR
from mirror_ray.families.mirrorqa.sim import sim_item
from mirror_ray.families.mirrorqa.sim_design import design
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.studio.painter import MIN_LIMB_PX, MIN_VISIBLE
from support.whole import mostly_thorough


def test_half_of_a_limb_is_the_least() -> None:
    assert MIN_VISIBLE >= 0.5


@pytest.mark.parametrize("reflected", mostly_thorough(2, [False, True]))
def test_every_limb_is_seen_and_the_viewer_finds_it_on_its_side(
    renderer: Renderer, *, reflected: bool
) -> None:
    sides = set()
    for index in range(48):
        made = sim_item(index, 0, reflected=reflected, width_px=320, height_px=240, encoding="png")
        assert made.item.view is not None
        facts = renderer.draw(made.item.view).facts
        whole_px = facts["limb_px"] + facts["limb_hidden_px"]
        assert facts["limb_px"] >= max(MIN_LIMB_PX, MIN_VISIBLE * whole_px)
        viewers = made.viewer_answer(facts["limb_right_px"])
        if made.shown != "both":
            assert viewers is not None
            assert (viewers.split()[0] == "right") == (facts["limb_right_px"] > 0)
            sides.add((viewers == made.item.answer, design(index, 0).facing))
    # Near profile the picture decides, so that facing alone does not say whose side it is.
    assert len(sides) >= 3


def test_four_legs_are_raised_so_that_they_can_be_told(renderer: Renderer) -> None:
    """Of a raised leg more is seen than a ball: it is longer than it is thick."""
    for answer in FOUR:
        index = next(
            i for i in range(64) if design(i, 0).answer == answer and design(i, 0).part == "leg"
        )
        made = sim_item(index, 0, reflected=False, width_px=640, height_px=480, encoding="png")
        assert made.item.view is not None
        assert renderer.draw(made.item.view).facts["limb_px"] > 600
