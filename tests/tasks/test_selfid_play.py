"""Episodes played by hand-written replies: no engine, no model, no pixels."""

import json
import pickle
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import atan2, degrees, hypot
from typing import Any

import pytest

from mirror_ray.tasks.selfid import FAMILY
from mirror_ray.tasks.selfid.columns import EPISODE_COLUMNS, STEP_COLUMNS
from mirror_ray.tasks.selfid.play import max_asks, play
from mirror_ray.tasks.selfid.scenes import sample_scene, sample_wrong_color
from mirror_ray.types import Ask, EpisodeSpec, Observation, Outcome, Reply, Turn
from mirror_ray.world.renderer import Renderer

SpecOf = Callable[..., EpisodeSpec]

COMMON_KEYS = {"parse_status", "parse_fixes", "superseded"}
FACTS = {
    name: [1, 2] if name in {"other_reflection_px", "other_px"} else 5
    for name in STEP_COLUMNS.names
    if name.endswith("_px")
}


def says(action: str = "w", identification: str = "unknown", **more: Any) -> Reply:
    found = {
        "view-description": "v",
        "reasoning": "because",
        "action": action,
        "summary": "so far",
        "selected_cube": "none",
        "identification": identification,
    }
    return Reply(text=json.dumps(found | more), finish_reason="stop")


def says_freely(action: str = "w", identification: str = "unknown") -> Reply:
    found = json.loads(says(action, identification).text)
    del found["selected_cube"]
    return Reply(text=json.dumps(found), finish_reason="stop")


NONSENSE = Reply(text="I am a robot.", finish_reason="stop")
DOWN = Reply(text="", error_kind="server", error="503")


def run(spec: EpisodeSpec, replies: Iterable[Reply]) -> tuple[list[Ask], Outcome]:
    """All asks and the outcome; fails when the replies do not last to the end."""
    playing = play(spec, spec.rng())
    asks, outcome = [next(playing)], None
    for reply in replies:
        try:
            asks.append(playing.send(Turn(Observation((), "f", FACTS), reply)))
        except StopIteration as end:
            outcome = end.value
            break
    assert outcome is not None, f"still playing after {len(asks)} asks"
    assert len(outcome.steps) == len(asks)
    for row in outcome.steps:
        assert set(row) == {*STEP_COLUMNS.names, *COMMON_KEYS}
    assert set(outcome.fields) == set(EPISODE_COLUMNS.names)
    return asks, outcome


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
        "encoding": "jpeg",
        "max_steps": 100,
        "parent_id": None,
        "branch_step": None,
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


def test_a_blocked_move_warns_in_the_next_prompt_only(spec_of: SpecOf) -> None:
    spec = spec_of("E2", max_steps=30)
    asks, outcome = run(spec, [*[says("w")] * 20, says("a"), *[says("d")] * 9])
    bumped = [row["bumped"] for row in outcome.steps]
    assert any(bumped[:20])
    assert not any(bumped[20:])
    warned = ["Warning: your last movement was blocked by a wall." in ask.user for ask in asks]
    assert warned == [False, *bumped[:-1]]
    for before, after in zip(outcome.steps, outcome.steps[1:], strict=False):
        moved = (before["x_m"], before["y_m"]) != (after["x_m"], after["y_m"])
        assert moved == (before["action"] == "w" and not before["bumped"])


def test_the_open_ended_condition_records_a_bump_without_telling(spec_of: SpecOf) -> None:
    asks, outcome = run(spec_of("E5", max_steps=20), [says_freely("w")] * 20)
    assert any(row["bumped"] for row in outcome.steps)
    assert not any("Warning" in ask.user for ask in asks)
    assert {row["selected_cube"] for row in outcome.steps} == {None}
    assert "selected_cube" not in str(asks[0].reply_schema)
    assert outcome.fields["cube_colors"] == []


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


def test_an_unreadable_reply_is_asked_for_once_more(spec_of: SpecOf) -> None:
    asks, outcome = run(spec_of("E1"), [NONSENSE, says("a", "red"), says("done")])
    assert [ask.step for ask in asks] == [1, 1, 2]
    assert asks[1].views == asks[0].views
    assert asks[1].user == asks[0].user + (
        "\nYour last reply could not be read: it holds no JSON object with the required keys."
        " Return only the JSON object."
    )
    assert asks[1].prompt_sha != asks[0].prompt_sha
    first, second, _ = outcome.steps
    assert (first["parse_status"], first["superseded"]) == ("failed", True)
    assert (first["action"], first["identification"], first["bumped"]) == (None, None, None)
    assert (second["parse_status"], second["superseded"]) == ("reasked", False)
    assert second["parse_fixes"] == ["asked again, then strict"]
    assert (second["action"], second["identification"]) == ("a", "red")


def test_unreadable_twice_is_a_step_without_action(spec_of: SpecOf) -> None:
    asks, outcome = run(spec_of("E4"), [NONSENSE, NONSENSE, says("done")])
    assert [ask.step for ask in asks] == [1, 1, 2]
    _, second, third = outcome.steps
    assert (second["parse_status"], second["superseded"]) == ("failed", False)
    assert (second["action"], second["identification"]) == (None, "unknown")
    assert second["bumped"] is False
    assert (second["x_m"], second["yaw_deg"]) == (third["x_m"], third["yaw_deg"])
    assert "Previous step: action=none;" in asks[2].user
    moved = asks[2].views[0].others  # type: ignore[attr-defined]
    assert moved != asks[1].views[0].others  # type: ignore[attr-defined]
    assert outcome.terminated


def test_a_cut_off_reply_is_asked_for_again(spec_of: SpecOf) -> None:
    cut = replace(says("a"), finish_reason="length")
    asks, outcome = run(spec_of("E1"), [cut, says("done")])
    assert len(asks) == 2
    assert "cut off by the length limit" in asks[1].user
    assert [row["parse_status"] for row in outcome.steps] == ["failed", "reasked"]


@pytest.mark.parametrize("before", [[], [says("a")], [NONSENSE]])
def test_an_api_failure_ends_the_episode_as_failed(spec_of: SpecOf, before: list[Reply]) -> None:
    asks, outcome = run(spec_of("E1"), [*before, DOWN])
    assert len(asks) == len(before) + 1
    assert (outcome.terminated, outcome.truncated, outcome.error_kind) == (False, False, "server")
    last = outcome.steps[-1]
    assert (last["parse_status"], last["superseded"]) == (None, False)
    assert (last["action"], last["identification"], last["bumped"]) == (None, None, None)
    assert outcome.fields["near_at_done"] is None


def test_a_text_that_came_with_an_error_counts_only_unrepaired(spec_of: SpecOf) -> None:
    whole = replace(says("done"), error_kind="server")
    assert run(spec_of("E1"), [whole])[1].terminated
    broken = replace(whole, text=whole.text[:-1])
    assert run(spec_of("E1"), [broken])[1].error_kind == "server"
    refused = Reply(text="I cannot help with that.", error_kind="refusal")
    assert run(spec_of("E1"), [refused])[1].error_kind == "refusal"


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


def test_max_asks_is_reached_by_nonsense_alone(spec_of: SpecOf) -> None:
    spec = spec_of("E1", max_steps=4)
    asks, outcome = run(spec, [NONSENSE] * 8)
    assert len(asks) == max_asks(spec) == FAMILY.max_asks(spec) == 8
    assert outcome.truncated
    assert max_asks(spec_of("E1")) == 200


def test_the_renderer_knows_every_evidence_column(spec_of: SpecOf) -> None:
    renderer = Renderer()
    try:
        ask = next(play(spec_of("E4"), spec_of("E4").rng()))
        assert set(renderer.draw(ask.views[0]).facts) == set(FACTS)
    finally:
        renderer.close()
