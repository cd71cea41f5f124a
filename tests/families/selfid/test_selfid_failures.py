"""Replies that cannot be read, and calls that fail: what an episode makes of either."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Reply
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.families.selfid.play import max_asks
from support.selfid_by_hand import DOWN, NONSENSE, run, says

SpecOf = Callable[..., EpisodeSpec]


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


def test_max_asks_is_reached_by_nonsense_alone(spec_of: SpecOf) -> None:
    spec = spec_of("E1", max_steps=4)
    asks, outcome = run(spec, [NONSENSE] * 8)
    assert len(asks) == max_asks(spec) == FAMILY.max_asks(spec) == 8
    assert outcome.truncated
    assert max_asks(spec_of("E1")) == 200
