"""What stands in a walker's way, and which prompt says so."""

from collections.abc import Callable
from dataclasses import replace

from mirror_ray.core.identity import EpisodeSpec
from support.selfid_by_hand import run, says, says_freely

SpecOf = Callable[..., EpisodeSpec]


def test_a_blocked_move_warns_in_the_next_prompt_only(spec_of: SpecOf) -> None:
    spec = spec_of("E2", max_steps=30)
    asks, outcome = run(spec, [*[says("w")] * 20, says("a"), *[says("d")] * 9])
    bumped = [row["bumped"] for row in outcome.steps]
    assert any(bumped[:20])
    assert not any(bumped[20:])
    blocked_by = [row["blocked_by"] for row in outcome.steps]
    assert bumped == [what != "none" for what in blocked_by]
    warned = ["Warning: your last movement was blocked by a wall." in ask.user for ask in asks]
    assert warned == [False, *(what == "wall" for what in blocked_by[:-1])]
    for before, after in zip(outcome.steps, outcome.steps[1:], strict=False):
        moved = (before["x_m"], before["y_m"]) != (after["x_m"], after["y_m"])
        assert moved == (before["action"] == "w" and not before["bumped"])


def test_the_open_ended_condition_warns_of_walls_alone(spec_of: SpecOf) -> None:
    met = set()
    for index in range(6):
        asks, outcome = run(spec_of("E5", 0, index, max_steps=20), [says_freely("w")] * 20)
        blocked_by = [row["blocked_by"] for row in outcome.steps]
        met |= set(blocked_by)
        warned = ["Warning" in ask.user for ask in asks]
        assert warned == [False, *(what == "wall" for what in blocked_by[:-1])]
    assert met >= {"wall", "clutter", "none"}
    assert {row["selected_cube"] for row in outcome.steps} == {None}
    assert outcome.fields["cube_colors"] == []


def test_a_variant_names_what_was_in_the_way(spec_of: SpecOf) -> None:
    spec = spec_of("E5", 0, 1, max_steps=20)
    spec = replace(spec, cell=replace(spec.cell, variant="obstacles"))
    asks, outcome = run(spec, [says_freely("w")] * 20)
    words = {"wall": "a wall", "clutter": "a box", "agent": "another robot"}
    for ask, row in zip(asks[1:], outcome.steps, strict=False):
        what = words.get(row["blocked_by"])
        assert ("Warning" in ask.user) == (what is not None)
        assert what is None or f"was blocked by {what}." in ask.user
