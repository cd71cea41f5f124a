"""Episodes played by hand-written replies: no engine, no model, no pixels."""

import json
import pickle
from collections.abc import Callable
from math import atan2, degrees, hypot
from re import findall

import pytest

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Observation, Turn
from mirror_ray.families.selfid.play import play
from mirror_ray.families.selfid.scenes import sample_scene, sample_wrong_color
from mirror_ray.world.renderer import Renderer
from sim_assets.colors import COLOR_NAMES
from support.selfid_by_hand import FACTS, NONSENSE, run, says

SpecOf = Callable[..., EpisodeSpec]


def test_an_episode_ends_at_done(spec_of: SpecOf) -> None:
    spec = spec_of("E1")
    scene = sample_scene(spec)
    color = scene.ego.color
    asks, outcome = run(spec, [says("a"), says("d", color), says("done", color)])
    assert (outcome.terminated, outcome.truncated, outcome.error_kind) == (True, False, "none")
    assert [ask.step for ask in asks] == [1, 2, 3]
    assert [row["action"] for row in outcome.steps] == ["a", "d", "done"]
    assert [row["identification"] for row in outcome.steps] == ["unknown", color, color]
    assert [row["selected_cube"] for row in outcome.steps] == ["none"] * 3
    start = scene.ego.pose
    headings = [start.yaw_deg, (start.yaw_deg + 30.0) % 360.0, start.yaw_deg]
    assert [row["yaw_deg"] for row in outcome.steps] == headings
    assert {(row["x_m"], row["y_m"]) for row in outcome.steps} == {(start.x_m, start.y_m)}
    assert all(row["parse_status"] == "strict" for row in outcome.steps)
    assert all(row["mirror_px"] == 5 and row["other_px"] == [1, 2] for row in outcome.steps)
    first = outcome.steps[0]
    assert (first["view_description"], first["thought"], first["summary"]) == (
        "v",
        "because",
        "so far",
    )


def test_max_steps_truncate(spec_of: SpecOf) -> None:
    asks, outcome = run(spec_of("E1", max_steps=3), [says("a")] * 3)
    assert (outcome.terminated, outcome.truncated, outcome.error_kind) == (False, True, "none")
    assert outcome.fields["near_at_done"] is None
    assert [ask.user.split("Steps remaining: ")[1][:2] for ask in asks] == ["3.", "2.", "1."]


def test_the_fields_describe_the_scene(spec_of: SpecOf) -> None:
    spec = spec_of("E4", 1, 1, image="320x240", history=5, encoding="jpeg", fov_deg=90.0)
    scene = sample_scene(spec)
    _, outcome = run(spec, [says("done")])
    assert outcome.fields == {
        "ego_color": scene.ego.color,
        "cube_colors": [cube.color for cube in scene.cubes],
        "cube_x_m": [cube.x_m for cube in scene.cubes],
        "cube_y_m": [cube.y_m for cube in scene.cubes],
        "wrong_color": None,
        "n_others": len(scene.others),
        "other_colors": [other.color for other in scene.others],
        "mirror_wall": scene.reflector_wall,
        "mirror_present": True,
        "start_x_m": scene.ego.pose.x_m,
        "start_y_m": scene.ego.pose.y_m,
        "start_yaw_deg": scene.ego.pose.yaw_deg,
        "first_frame_mirror": outcome.fields["first_frame_mirror"],
        "near_at_done": None,
        "image_width_px": 320,
        "image_height_px": 240,
        "fov_deg": 90.0,
        "history": 5,
        "frames": 1,
        "mirror_called": "mirror",
        "language": "en",
        "body_color": "drawn",
        "cube_places": "drawn",
        "look": "plain",
        "mirror_side_m": 2.0,
        "mirror_tilt_deg": 0.0,
        "mirror_reflectance": 1.0,
        "mirror_tint": "none",
        "mirror_blur_deg": 0.0,
        "mirror_cover": 0.0,
        "mirrors": 1,
        "mirror_distance_m": None,
        "encoding": "jpeg",
        "max_steps": 100,
        "structured": "none",
        "others": "random",
        "parent_id": None,
        "branch_step": None,
        "channel": "natural",
    }
    _, twin = run(spec_of("E2", 1, 1), [says("done")])
    assert (twin.fields["mirror_present"], twin.fields["n_others"]) == (False, 0)


def test_first_frame_mirror_alternates_over_runs(spec_of: SpecOf) -> None:
    shown = [
        run(spec_of("E1", 0, index), [says("done")])[1].fields["first_frame_mirror"]
        for index in range(4)
    ]
    assert shown in ([True, False] * 2, [False, True] * 2)


def test_near_at_done_is_the_selected_cube_within_a_metre(spec_of: SpecOf) -> None:
    spec = spec_of("E1")
    scene = sample_scene(spec)
    for cube in scene.cubes:  # All start at least 1 m away, and none of them lies at exactly 1 m.
        _, outcome = run(spec, [says("done", selected_cube=cube.color)])
        assert outcome.fields["near_at_done"] is False
    absent = next(
        name
        for name in ("red", "blue", "pink", "cyan")
        if name not in {cube.color for cube in scene.cubes}
    )
    for selected in (absent, "none"):
        _, outcome = run(spec, [says("done", selected_cube=selected)])
        assert outcome.fields["near_at_done"] is None


def test_walking_up_to_a_cube_makes_it_near(spec_of: SpecOf) -> None:
    """Drives greedily towards the first cube by the truth that the oracle gets."""
    spec = spec_of("E1", 0, 1)
    playing = play(spec, spec.rng())
    ask, near = next(playing), None
    while near is None:
        cube = ask.truth["cubes"][0]
        dx, dy = cube["x_m"] - ask.truth["x_m"], cube["y_m"] - ask.truth["y_m"]
        off_deg = (degrees(atan2(dy, dx)) - ask.truth["yaw_deg"] + 180.0) % 360.0 - 180.0
        if hypot(dx, dy) <= 1.0:
            reply = says("done", selected_cube=cube["color"])
        else:
            reply = says("w" if abs(off_deg) <= 15.0 else "a" if off_deg > 0 else "d")
        try:
            ask = playing.send(Turn(Observation((), None, FACTS), reply))
        except StopIteration as end:
            near = end.value.fields["near_at_done"]
            break
    assert near is True


def test_no_schema_is_asked_for_unless_the_axis_says_so(spec_of: SpecOf) -> None:
    def asked(name: str, **axes: str) -> object:
        spec = spec_of(name, **axes)
        return next(play(spec, spec.rng())).reply_schema

    assert asked("E1") is None
    assert asked("E1", structured="json") == {"type": "object"}
    schema = str(asked("E1", structured="schema"))
    assert schema == str(asked("E1", structured="schema_where_taken"))
    assert not set(COLOR_NAMES) & set(findall(r"[a-z]+", schema))
    assert "selected_cube" in schema
    assert "selected_cube" not in str(asked("E5", structured="schema"))


def test_words_beside_the_action_never_cost_it(spec_of: SpecOf) -> None:
    said = [None, "unclear", "not visible", "gray", "light blue", "a red humanoid", ["red"], 7]
    asks, outcome = run(
        spec_of("E1", max_steps=len(said)), [says("d", identification=one) for one in said]
    )
    assert [ask.step for ask in asks] == list(range(1, len(said) + 1))
    assert {row["action"] for row in outcome.steps} == {"d"}
    kept = [None, "unclear", "not visible", "gray", "light blue", "a red humanoid", "red", "7"]
    assert [row["identification"] for row in outcome.steps] == kept


def test_a_second_ask_lists_no_palette(spec_of: SpecOf) -> None:
    for first in (NONSENSE, says("jump", identification="gray", selected_cube="gray")):
        asks, _ = run(spec_of("E1"), [first, says("done")])
        again = asks[1].user.removeprefix(asks[0].user)
        assert again
        assert not set(COLOR_NAMES) & set(findall(r"[a-z]+", again))


def test_the_lie_is_told_and_recorded(spec_of: SpecOf) -> None:
    spec = spec_of("E3")
    asks, outcome = run(spec, [says("a"), says("done")])
    wrong = sample_wrong_color(spec)
    assert wrong != outcome.fields["ego_color"]
    assert outcome.fields["wrong_color"] == wrong
    assert all(ask.system.startswith(f"You are a {wrong} robot.\n") for ask in asks)


@pytest.mark.parametrize(("history", "recalled"), [(0, 0), (1, 1), (5, 5)])
def test_history_lengths(spec_of: SpecOf, history: int, recalled: int) -> None:
    spec = spec_of("E1", history=history, max_steps=7)
    asks, _ = run(spec, [says("a", summary=f"s{index}") for index in range(7)])
    assert asks[-1].user.count("summary=") == recalled
    assert ("No previous steps." in asks[0].user) == (history > 0)
    assert ("summary=s5" in asks[-1].user) == (history > 0)


def test_truth_has_what_the_oracle_needs(spec_of: SpecOf) -> None:
    spec = spec_of("E2")
    scene = sample_scene(spec)
    asks, _ = run(spec, [says("a"), says("done")])
    pose = scene.ego.pose
    assert asks[1].truth == {
        "ego_color": scene.ego.color,
        "cubes": [{"color": c.color, "x_m": c.x_m, "y_m": c.y_m} for c in scene.cubes],
        "reflector_wall": scene.reflector_wall,
        "reflector": "panel",
        "x_m": pose.x_m,
        "y_m": pose.y_m,
        "yaw_deg": (pose.yaw_deg + 30.0) % 360.0,
    }
    json.dumps(asks[1].truth)


def test_the_same_replies_give_the_same_asks_for_every_model(spec_of: SpecOf) -> None:
    replies = [says("w"), says("a"), NONSENSE, says("w"), *[says("d")] * 6, says("done")]
    first, _ = run(spec_of("E4", 2, 3), replies)
    again, _ = run(spec_of("E4", 2, 3, model="openai/gpt-5.1"), replies)
    assert [(ask.system, ask.user, ask.views) for ask in again] == [
        (ask.system, ask.user, ask.views) for ask in first
    ]
    assert pickle.loads(pickle.dumps(first)) == first  # noqa: S301


def test_the_renderer_knows_every_evidence_column(spec_of: SpecOf) -> None:
    renderer = Renderer()
    try:
        ask = next(play(spec_of("E4"), spec_of("E4").rng()))
        assert set(renderer.draw(ask.views[0]).facts) == set(FACTS)
    finally:
        renderer.close()


def test_the_last_frames_are_sent_and_the_current_one_counts(spec_of: SpecOf) -> None:
    moves = [says("a"), says("w"), says("d"), says("s"), says("done")]
    plain, _ = run(spec_of("E4", max_steps=9), moves)
    asks, _ = run(spec_of("E4", max_steps=9, frames=4), moves)
    single = [ask.views[0] for ask in plain]
    assert [ask.views for ask in asks] == [tuple(single[max(0, i - 3) : i + 1]) for i in range(5)]
    assert ["images are" in ask.user for ask in asks] == [False, True, True, True, True]

    playing = play(spec := spec_of("E1", frames=4), spec.rng())
    next(playing)
    playing.send(Turn(Observation((), None, FACTS), says("a")))
    older, newer = {**FACTS, "mirror_px": 1}, {**FACTS, "mirror_px": 2}
    with pytest.raises(StopIteration) as end:
        playing.send(Turn(Observation((), None, {"views": [older, newer]}), says("done")))
    assert [row["mirror_px"] for row in end.value.value.steps] == [FACTS["mirror_px"], 2]
