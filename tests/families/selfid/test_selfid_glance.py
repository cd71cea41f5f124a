"""A glance is one look from a known place, and one answer."""

from dataclasses import replace

import numpy as np
import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Observation, Reply, Turn
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.families.selfid.play import max_asks, play
from mirror_ray.families.selfid.reply import read_reply
from mirror_ray.families.selfid.scenes import sample_scene
from mirror_ray.world.room.scene import PERFECT, Glass


def spec(condition: str = "glance", **axes: object) -> EpisodeSpec:
    cell = Cell(
        "selfid", condition, (("subject", "m"),), None, "paper", tuple(sorted(axes.items()))
    )
    return EpisodeSpec(cell, 3, 0)


def test_the_ego_stands_straight_before_the_mirror() -> None:
    for distance_m in (0.8, 1.5, 5.0):
        scene = sample_scene(spec(mirror_distance_m=distance_m))
        x_m, y_m, yaw_deg = (getattr(scene.ego.pose, name) for name in ("x_m", "y_m", "yaw_deg"))
        ahead = np.array([np.cos(np.radians(yaw_deg)), np.sin(np.radians(yaw_deg))])
        to_wall_m = 3.0 - np.array([x_m, y_m]) @ ahead
        assert to_wall_m == pytest.approx(distance_m)
        assert ahead @ [-y_m, x_m] == pytest.approx(0.0, abs=1e-6)
        assert scene.cubes == scene.others == ()


def test_an_axis_changes_the_mirror_and_nothing_else_of_a_scene() -> None:
    plain = sample_scene(spec("E1"))
    other = sample_scene(spec("E1", mirror_side_m=0.5, mirror_cover=0.2, mirrors=2, look="lit"))
    assert plain.glass == PERFECT
    assert other.glass == Glass(side_m=0.5, cover=0.2, is_double=True)
    assert replace(other, glass=PERFECT, look="plain") == plain


def test_without_a_mirror_its_axes_change_nothing() -> None:
    assert sample_scene(spec("E2", mirror_side_m=0.5)) == sample_scene(spec("E2"))
    assert "E2" not in FAMILY.only_in["mirror_side_m"]
    assert set(FAMILY.only_in["mirror_tilt_deg"]) >= {"E1", "E3", "glance"}
    assert not {"E4", "E5"} & set(FAMILY.only_in["mirror_tilt_deg"])


def test_a_glance_is_one_ask_that_names_no_action() -> None:
    game = play(spec(), np.random.default_rng(0))
    ask = next(game)
    assert "action" not in ask.system + ask.user
    assert len(ask.views) == 1
    reply = Reply(text='{"view-description": "v", "reasoning": "r", "identification": "red"}')
    with pytest.raises(StopIteration) as end:
        game.send(Turn(Observation((), None, {}), reply))
    outcome = end.value.value
    assert outcome.terminated
    assert [row["identification"] for row in outcome.steps] == ["red"]
    assert outcome.steps[0]["action"] == "done"
    assert outcome.fields["mirror_distance_m"] == 1.5
    assert max_asks(spec()) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '```json\n{"view-description":"v","reasoning":"r","identification":"Dark green"}\n```',
            "Dark green",
        ),
        ('{"identification": "unknown", "reasoning": "no mirror"}', "unknown"),
        ("**View-description:** a mirror\n**Reasoning:** mine\n**Identification:** pink", "pink"),
        ("Orange.", "orange"),
        ("My body is cyan", "cyan"),
        (
            '{"view-description":"v","reasoning":"r","action":"done","summary":"","identification":"red"}',
            "red",
        ),
        ('{"view-description":"v","reasoning":"r"}', None),
        ("I can see a mirror on the wall and a figure in it.", None),
        ("red or blue", None),
        ("", None),
    ],
)
def test_what_a_reply_names_is_read(text: str, said: str | None) -> None:
    _, decision = read_reply(Reply(text=text), CONDITIONS["glance"])
    assert (decision.identification if decision else None) == said
