"""Where each screen's hand is, by hand-computed paths."""

import pytest

from mirror_ray.core.identity import Cell as SweepCell
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.families.contingency.conditions import CONDITIONS
from mirror_ray.families.contingency.moving import AHEAD, START, hand_after, hand_shown, path
from mirror_ray.families.contingency.scenes import sample_screens
from mirror_ray.world.reaching.body import LatticeCell, is_free

MOVES = ("left", "left", "up", "stay")
WILL = ("down", "down", "right", "up")


@pytest.mark.parametrize(
    ("follows", "delay", "left_up"),
    [
        ("now", 3, (2, 1)),
        ("last", 3, (2, 1)),
        ("later", 1, (2, 1)),
        ("later", 2, (2, 0)),
        ("later", 3, (1, 0)),
        ("never", 2, (0, 0)),
        ("all_but_one", 2, (-2, 1)),
        ("another", 2, (-1, -1)),
    ],
)
def test_a_hand_follows_as_its_condition_says(follows, delay, left_up):
    hand = hand_shown(follows, MOVES, delay=delay, other_way="left", will=WILL)
    assert (hand.left - START.left, hand.up - START.up) == left_up


@pytest.mark.parametrize("follows", ["now", "last", "later", "never", "all_but_one", "another"])
def test_before_the_first_move_all_are_alike(follows):
    assert hand_shown(follows, (), delay=2, other_way="left", will=WILL) == START


def test_every_place_that_a_hand_comes_to_is_within_reach():
    seen, frontier = {START}, [START]
    while frontier:
        hand = frontier.pop()
        for move in ("left", "right", "up", "down"):
            after = hand_after(hand, move)
            if after not in seen:
                seen.add(after)
                frontier.append(after)
    assert len(seen) == 36
    assert all(is_free(hand, opposite=False) for hand in seen)
    corner = LatticeCell(AHEAD, 0, 1)
    assert hand_after(corner, "left") == hand_after(corner, "up") == corner


def test_a_path_has_one_place_more_than_moves():
    assert path(MOVES) == [
        START,
        LatticeCell(AHEAD, -1, -2),
        LatticeCell(AHEAD, 0, -2),
        LatticeCell(AHEAD, 0, -1),
        LatticeCell(AHEAD, 0, -1),
    ]


def test_conditions_of_a_scene_share_all_but_what_they_manipulate():
    def screens(condition, seed=5, run=0):
        cell = SweepCell("contingency", condition, (), None, "plain")
        return sample_screens(EpisodeSpec(cell, seed, run))

    every = {name: screens(name) for name in CONDITIONS}
    assert len({(one.look, one.other_way, one.wills) for one in every.values()}) == 1
    assert {one.own for name, one in every.items() if name != "absent"} == {every["twin"].own}
    assert every["absent"].own is None
    assert len(set(every["twin"].shirts.values())) == 3


def test_every_three_seeds_have_the_own_image_at_every_place():
    def place(seed):
        cell = SweepCell("contingency", "twin", (), None, "plain")
        return sample_screens(EpisodeSpec(cell, seed, 0)).own

    orders = [tuple(place(3 * block + turn) for turn in range(3)) for block in range(12)]
    assert {frozenset(order) for order in orders} == {frozenset(("left", "middle", "right"))}
    assert len(set(orders)) > 3
