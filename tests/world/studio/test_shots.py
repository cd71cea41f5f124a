"""Posed people and dogs: which side of them is which, in the picture and in the mirror."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mirror_ray.core.errors import RenderError
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.scene import ROOM_SIDE_M
from mirror_ray.world.studio.model import ASKED, LIMB
from mirror_ray.world.studio.painter import PosingPainter
from mirror_ray.world.studio.placement import placed
from mirror_ray.world.studio.shots import PosingView, Shot, ShotContent, StudioFigure

LIMBS = [
    ("person", "hand"),
    ("person", "leg"),
    ("person", "glove"),
    ("person", "boot"),
    ("dog", "front leg"),
    ("dog", "rear leg"),
    ("dog", "front sock"),
    ("dog", "rear sock"),
]


_HIDDEN_FROM = {"front sock": 180.0, "rear sock": 0.0}
"""Exactly from ahead and behind the one leg hides the other."""


def shot(kind: str, limb: str, azimuth_deg: float, **figure: Any) -> Shot:
    is_raised = limb.endswith(("hand", "leg"))
    subject = StudioFigure(
        "dog" if kind == "dog" else "person",
        "brown" if kind == "dog" else "red",
        0,
        azimuth_deg,
        raised=limb if is_raised else None,
        worn=None if is_raised else limb,
        worn_color=None if is_raised else "yellow",
    )
    distance_m, height_m = (2.8, 1.1) if kind == "dog" else (3.6, 1.5)
    return Shot((replace(subject, **figure),), distance_m, height_m, 1)


def view(
    limb: str, shown: ShotContent, *shots: Shot, must_show: tuple[ShotContent, ...] = ()
) -> PosingView:
    return PosingView(shots, limb, shown, must_show or (shown,), 640, 480, "png")


@pytest.fixture(scope="module")
def painter(renderer: Renderer) -> PosingPainter:
    """The renderer's own, so that there is one context."""
    renderer.draw(view("left hand", "direct", shot("person", "left hand", 0.0)))
    return renderer._painters[PosingView]  # type: ignore[return-value]


@pytest.mark.parametrize(("kind", "part"), LIMBS)
@pytest.mark.parametrize("side", ["left", "right"])
def test_left_is_the_subjects_own(renderer: Renderer, kind: str, part: str, side: str) -> None:
    """Who faces us has the left limb on our right; from behind, and in the mirror, it turns."""
    limb = f"{side} {part}"
    sign = 1 if side == "left" else -1
    for azimuth_deg, shown, expected in [
        (0.0, "direct", sign),
        (180.0, "direct", -sign),
        (0.0, "reflection", -sign),
        (180.0, "reflection", sign),
    ]:
        if part in _HIDDEN_FROM and azimuth_deg == _HIDDEN_FROM[part]:
            continue
        frame = renderer.draw(view(limb, shown, shot(kind, limb, azimuth_deg)))  # type: ignore[arg-type]
        assert np.sign(frame.facts["limb_right_px"]) == expected, (azimuth_deg, shown)


@pytest.mark.parametrize("azimuth_deg", [35.0, -60.0, 150.0])
def test_the_mirror_shows_the_same_picture_reversed(
    painter: PosingPainter, azimuth_deg: float
) -> None:
    one = shot("person", "left hand", azimuth_deg)
    direct, _ = painter.identify(view("left hand", "direct", one), one)
    codes, mirrored = painter.identify(view("left hand", "reflection", one), one)
    for code in (LIMB, ASKED):
        seen, reversed_one = direct == code, (codes == code)[:, ::-1]
        overlap = (seen & reversed_one).sum() / (seen | reversed_one).sum()
        assert overlap > 0.95
    assert mirrored[np.isin(codes, (LIMB, ASKED))].all()


@pytest.mark.parametrize("shown", ["direct", "reflection", "both"])
@pytest.mark.parametrize(
    ("kind", "limb"),
    [("person", "right glove"), ("dog", "left rear sock"), ("person", "left boot")],
)
def test_a_limb_is_exactly_the_pixels_that_its_own_colour_changes(
    renderer: Renderer, painter: PosingPainter, kind: str, limb: str, shown: ShotContent
) -> None:
    one = shot(kind, limb, 30.0)
    other = shot(kind, limb, 30.0, worn_color="blue")
    codes, _ = painter.identify(view(limb, shown, one), one)
    before = renderer.draw(view(limb, shown, one)).rgb
    after = renderer.draw(view(limb, shown, other)).rgb
    # At an outline another limb's edge may win the pixel by a rounding.
    assert ((codes == LIMB) != (before != after).any(axis=-1)).sum() <= 2
    assert (codes == LIMB).sum() > 200


def test_beside_the_mirror_the_subject_is_seen_twice(renderer: Renderer) -> None:
    one = shot("person", "left glove", 20.0)
    alone = renderer.draw(view("left glove", "reflection", one)).facts
    both = renderer.draw(view("left glove", "both", one)).facts
    direct = renderer.draw(view("left glove", "direct", one)).facts
    assert alone["subject_direct_px"] == 0 < both["subject_direct_px"]
    assert alone["mirror_px"] > both["mirror_px"] > 0 == direct["mirror_px"]
    assert direct["subject_px"] == direct["subject_direct_px"]


def test_the_first_shot_that_shows_the_limb_in_every_way_is_taken(renderer: Renderer) -> None:
    hidden = shot("person", "left glove", -80.0)
    screen = StudioFigure("person", "blue", 1, 0.0, beyond_m=-1.2)
    behind = Shot((hidden.figures[0], screen), 3.6, 1.5, 1)
    clear = shot("person", "left glove", 20.0)
    for shown in ("direct", "reflection"):
        drawn = renderer.draw(
            view("left glove", shown, hidden, behind, clear, must_show=("direct", "reflection"))
        )
        assert drawn.facts["shot"] == 2
        assert drawn.facts["azimuth_deg"] == 20.0
    with pytest.raises(RenderError, match="none of 2 shots shows the left glove well"):
        renderer.draw(view("left glove", "direct", hidden, behind))


def test_what_stands_before_a_limb_counts_as_hiding_it(renderer: Renderer) -> None:
    subject = shot("person", "left boot", 0.0).figures[0]
    dog = StudioFigure("dog", "white", 0, 90.0, right_m=0.45, beyond_m=-0.8)
    free = Shot((subject,), 3.6, 1.5, 1)
    crowded = Shot((subject, dog), 3.6, 1.5, 1)
    open_facts = renderer.draw(view("left boot", "direct", free)).facts
    hidden_facts = renderer.draw(view("left boot", "direct", crowded)).facts
    assert hidden_facts["limb_px"] < open_facts["limb_px"]
    hidden = {
        name: facts["limb_hidden_px"]
        for name, facts in (("open", open_facts), ("crowded", hidden_facts))
    }
    assert hidden["crowded"] - hidden["open"] == open_facts["limb_px"] - hidden_facts["limb_px"]


@pytest.mark.parametrize("shown", ["direct", "reflection", "both"])
@pytest.mark.parametrize("kind", ["person", "dog"])
def test_everything_is_inside_the_room(kind: str, shown: ShotContent) -> None:
    limb = "left hand" if kind == "person" else "left front leg"
    for distance_m, side in [(2.7, 1), (3.8, -1)]:
        one = replace(shot(kind, limb, 40.0), distance_m=distance_m, side=side)
        placement = placed(one, shown, 4 / 3)
        for x_m, y_m in [placement.eye_m[:2], *((p.x_m, p.y_m) for p in placement.poses)]:
            assert max(abs(x_m), abs(y_m)) < ROOM_SIDE_M / 2 - 0.4


def test_pictures_do_not_depend_on_what_was_drawn_before(renderer: Renderer) -> None:
    one = view("left hand", "both", shot("person", "left hand", 10.0))
    dogs = view("right rear leg", "direct", shot("dog", "right rear leg", 150.0))
    first = renderer.draw(one)
    renderer.draw(dogs)
    again = renderer.draw(one)
    np.testing.assert_array_equal(first.rgb, again.rgb)
    assert first.facts == again.facts
