"""The truth about a reaching body's picture, recomputed by rays that know nothing of OpenGL."""

from dataclasses import replace
from math import radians, tan

import numpy as np
import pytest
from numpy.typing import NDArray

from mirror_ray.world.reaching import body
from mirror_ray.world.reaching.body import COUNTERPARTS, SITES, LatticeCell
from mirror_ray.world.reaching.model import MARK
from mirror_ray.world.reaching.painter import ReachPainter
from mirror_ray.world.reaching.scene import MarkScene, Person, ReachView, mark_spot
from mirror_ray.world.renderer import Renderer
from support.whole import mostly_thorough

WIDTH, HEIGHT = 640, 480
ASIDE = LatticeCell(5, -4, -5)
"""Here the hand hides nothing of the face and chest."""
SCENE = MarkScene(
    own=Person(0, "white"),
    reflector="mirror",
    marked="own",
    site="left cheek",
    mark_color="green",
    glass_y_m=0.14,
    glass_z_m=1.5,
)
# Middle and half axes, metres, of what may hide a mark: head, hair, nose, chest.
SOLIDS = (
    ((0.0, 0.0, 1.484), (0.09,) * 3),
    ((-0.026, 0.0, 1.512), (0.096,) * 3),
    ((0.09, 0.0, 1.474), (0.017,) * 3),
    ((0.077, 0.034, 1.502), (0.016,) * 3),
    ((0.077, -0.034, 1.502), (0.016,) * 3),
    ((0.0, 0.0, 1.274), (0.105, 0.155, 0.15)),
)
Points = NDArray[np.float64]


def rays() -> Points:
    """(HEIGHT, WIDTH, 3) directions of the pixels' middles, of an eye that looks along x."""
    slope = tan(radians(70.0) / 2) / (HEIGHT / 2)
    left = (WIDTH / 2 - 0.5 - np.arange(WIDTH)) * slope
    up = (HEIGHT / 2 - 0.5 - np.arange(HEIGHT)) * slope
    across, high = np.meshgrid(left, up)
    return np.stack([np.ones_like(across), across, high], axis=-1)


def hit(origin: Points, along: Points, axes: Points, middle: Points, half: Points) -> Points:
    """(…) the nearest parameter at which rays meet an ellipsoid; inf where they do not."""
    start, way = (origin - middle) @ axes / half, along @ axes / half
    a, b, c = (way**2).sum(-1), (start * way).sum(-1), (start**2).sum(-1) - 1
    inside = b**2 - a * c
    first = (-b - np.sqrt(np.maximum(inside, 0))) / a
    return np.where((inside > 0) & (first > 0), first, np.inf)


def traced(scene: MarkScene) -> NDArray[np.bool_]:
    """(HEIGHT, WIDTH): pixels that show the mark in the mirror."""
    along = rays()
    eye = np.array([0.12, 0.0, 1.494])
    at_glass = eye + along * ((0.58 - eye[0]) / along[..., :1])
    on_glass = (np.abs(at_glass[..., 1]) <= 0.30) & (np.abs(at_glass[..., 2] - 1.36) <= 0.42)
    back = along * np.array([-1.0, 1.0, 1.0])
    spot = mark_spot(scene)
    assert spot is not None
    normal = np.array(spot.normal)
    first = np.cross(normal, [0.0, 0.0, 1.0])
    first /= np.linalg.norm(first)
    axes = np.column_stack([first, np.cross(normal, first), normal])
    mark = hit(at_glass, back, axes, np.array(spot.middle_m), np.array([0.026, 0.026, 0.008]))
    hidden = np.full_like(mark, np.inf)
    for middle, half in SOLIDS:
        solid = hit(at_glass, back, np.eye(3), np.array(middle), np.array(half))
        hidden = np.minimum(hidden, solid)
    return on_glass & (mark < hidden)


@pytest.fixture(scope="module")
def painter():
    renderer = Renderer()
    made = renderer._painter_of(ReachView)
    assert isinstance(made, ReachPainter)
    yield made
    renderer.close()


def view(scene: MarkScene, hand: LatticeCell = ASIDE) -> ReachView:
    return ReachView(scene, hand, WIDTH, HEIGHT, "png")


@pytest.mark.parametrize("site", mostly_thorough(2, SITES))
def test_a_mark_is_seen_in_the_mirror_where_rays_meet_it(painter, site) -> None:
    scene = replace(SCENE, site=site)
    codes, mirrored = painter.identify(view(scene))
    seen, expected = (codes == MARK) & mirrored, traced(scene)
    assert expected.sum() > 100
    # Facets of 16 sides lie within the ellipsoids that the rays meet.
    assert (seen & expected).sum() / (seen | expected).sum() > 0.85
    facts = painter.draw(view(scene)).facts
    assert facts["mark_reflection_px"] == seen.sum()
    assert facts["mark_direct_px"] == facts["own_direct_px"] == 0
    # Its picture changes exactly where the mark is, and there alone.
    bare = painter.draw(view(replace(scene, marked="nothing"))).rgb
    changed = (painter.draw(view(scene)).rgb != bare).any(axis=2)
    assert (changed == seen).all()


def test_what_is_before_a_mirror_is_seen_as_what_it_is(painter) -> None:
    def seen(scene: MarkScene) -> tuple[int, int]:
        facts = painter.draw(view(scene)).facts
        return facts["mark_reflection_px"], facts["mark_direct_px"]

    assert seen(replace(SCENE, reflector="panel")) == (0, 0)
    assert seen(replace(SCENE, marked="nothing")) == (0, 0)
    reflected, direct = seen(replace(SCENE, marked="glass"))
    assert (reflected, direct > 300) == (0, True)
    other = replace(SCENE, marked="other", reflector="none", other=Person(2, "yellow"))
    reflected, direct = seen(other)
    assert (reflected, direct > 300) == (0, True)
    reflected, direct = seen(replace(SCENE, marked="hand"))
    assert 20 < reflected < direct


def test_no_place_of_the_hand_shows_a_mark_on_the_face_directly(painter) -> None:
    cells = [
        LatticeCell(ahead, left, up)
        for ahead in range(8)
        for left in range(-5, 5)
        for up in range(-6, 3)
    ]
    free = [cell for cell in cells if body.is_free(cell, opposite=False)]
    assert len(free) > 300
    for number, cell in enumerate(free[::9]):
        site = list(SITES)[number % len(SITES)]
        facts = painter.draw(view(replace(SCENE, site=site), cell)).facts
        assert facts["mark_direct_px"] == facts["own_direct_px"] == 0, cell


def test_sites_are_told_apart_by_a_hand() -> None:
    for site, spot in SITES.items():
        opposite = SITES[COUNTERPARTS[site]]
        assert np.linalg.norm(np.subtract(spot.middle_m, opposite.middle_m)) > 0.11
        assert np.linalg.norm(spot.normal) == pytest.approx(1.0)
