"""The channels of an answer about what is seen: what is asked, what is staked, what is left out."""

import pytest

from mirror_ray.asking.channel import Stake, read_answered, read_prediction, read_stake
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.flipset.trials import trial_of

SELFID_DONE = (
    '{"view-description": "v", "reasoning": "r", "action": "done", "summary": "s", '
    '"selected_cube": "red", "identification": "red"}'
)


@pytest.mark.parametrize(
    ("text", "answer", "bet"),
    [
        ("ANSWER: B\nBET: 7", "B", 7),
        ("ANSWER: [B]\nBET: [7]", "B", 7),
        ("**ANSWER:** B\n**BET:** 10", "**ANSWER:** B\n", 10),
        ("Answer: B\nMy bet is 3 points.", "B", 3),
        ("ANSWER: B\nBET: 7/10", "B", 7),
        ("ANSWER: B\nBet: 8 out of 10 points", "B", 8),
        ("<think>BET: 2</think>ANSWER: B\nBET: 9", "B", 9),
        ("ANSWER: B\nFinal bet: 9", "B", 9),
        ("ANSWER: B\nBET: 10 (maximum)", "B", 10),
        ("ANSWER: B\nBET: \\boxed{8}", "B", 8),
        ("ANSWER: B\nBET: 5 (or 6)", "B", None),
        ("ANSWER: B\nBET: 0", "B", None),
        ("ANSWER: B\nBET: 11", "B", None),
        ("ANSWER: B\nBET: 7.5", "B", None),
        ("ANSWER: B\nBET: seven", "ANSWER: B\nBET: seven", None),
        ("ANSWER: B", "B", None),
        ("ANSWER: B\nBET: " + "9" * 5000, "B", None),
    ],
)
def test_a_bet_is_read_and_taken_off(text: str, answer: str, bet: int | None) -> None:
    left, stake = read_answered(Reply(text), "wager")
    assert (left.text.strip(), stake.bet) == (answer.strip(), bet)
    assert bool(stake.problem) == (bet is None)


@pytest.mark.parametrize(
    ("text", "left", "skipped"),
    [
        ("SKIP", "", True),
        ("**SKIP**", "", True),
        ("ANSWER: SKIP", "", True),
        ("I am not sure what it shows.\n\nSKIP", "", True),
        ("I’ll skip this one.", "", True),
        ("SKIP (guaranteed +1 point)", "", True),
        ("SKIP - I cannot see the mirror.", "", True),
        ("Skip the mirror and turn.\nANSWER: C", None, False),
        ("I won't skip.\nANSWER: C", None, False),
        ("ANSWER: C", "C", False),
        ("I could SKIP this, but the card is clear.\nANSWER: C", None, False),
        ("ANSWER: C\nSKIP", "", None),
    ],
)
def test_what_is_handed_over_is_no_answer(text: str, left: str | None, skipped: object) -> None:
    rest, stake = read_answered(Reply(text), "opt_out")
    assert stake.skipped is skipped
    assert rest.text == (text if left is None else left)


def test_a_reply_that_was_cut_off_stakes_nothing() -> None:
    cut = Reply("ANSWER: B\nBET: 1", finish_reason="length")
    assert read_answered(cut, "wager") == (cut, Stake())


@pytest.mark.parametrize(
    ("text", "percent", "status"),
    [
        ("85", 85, "strict"),
        ("85%", 85, "cleaned"),
        ("On a scale of 0–100: 85", 85, "cleaned"),
        ("85/100", 85, "cleaned"),
        ("I would say 80, maybe 90", None, "failed"),
        ("101", None, "failed"),
        ("-5", None, "failed"),
        ("", None, "failed"),
    ],
)
def test_a_forecast(text: str, percent: int | None, status: str) -> None:
    stake, found = read_prediction(text)
    assert (stake.predicted_percent, found) == (percent, status)


@pytest.mark.parametrize(
    ("text", "skipped", "status"),
    [
        ("KEEP", False, "strict"),
        ("SKIP", True, "strict"),
        ("**Keep**", False, "cleaned"),
        ("KEEP\nor\nSKIP", None, "failed"),
        ("no", None, "failed"),
    ],
)
def test_a_stake_behind_an_answer(text: str, skipped: object, status: str) -> None:
    stake, found = read_stake(text, "opt_out")
    assert (stake.skipped, found) == (skipped, status)
    assert read_stake("8", "wager")[0].bet == read_stake("BET: 8", "wager")[0].bet == 8


def played(spec: EpisodeSpec, *replies: str) -> tuple[list[Ask], Outcome]:
    """The asks of an episode that gets these replies."""
    playing = FAMILIES[spec.cell.family].play(spec, spec.rng())
    asks = [next(playing)]
    for text in replies:
        try:
            asks.append(playing.send(Turn(Observation((), None, {}), Reply(text))))
        except StopIteration as end:
            outcome: Outcome = end.value
            return asks, outcome
    raise AssertionError("it asks for more")


def spec_of(family: str, condition: str, channel: str) -> EpisodeSpec:
    axes = (("channel", channel),)
    return EpisodeSpec(Cell(family, condition, (("subject", "m"),), None, "paper", axes), 0, 0)


@pytest.mark.parametrize(("family", "condition"), [("flipset", "L2"), ("mirrorqa", "sim")])
def test_questions_in_all_channels(family: str, condition: str) -> None:
    wager = spec_of(family, condition, "wager")
    (ask,), outcome = played(wager, "ANSWER: A\nBET: 4")
    assert ask.user.count("BET: [1-10]") == 1
    (row,) = outcome.steps
    assert (row["bet"], row["asked_for"], row["parse_status"]) == (4, "answer", "strict")
    assert row.get("answer") == "A" or row["choice_position"] == 1

    (ask,), outcome = played(spec_of(family, condition, "opt_out"), "SKIP")
    (row,) = outcome.steps
    assert (row["skipped"], row["parse_status"], outcome.terminated) == (True, "strict", True)
    assert row.get("chosen_kind") == "skipped" or row["choice"] is None

    asks, outcome = played(spec_of(family, condition, "predict"), "70", "A")
    assert asks[1].user in played(spec_of(family, condition, "natural"), "A")[0][0].user
    assert "Do not answer the task" in asks[0].user
    assert asks[0].views == asks[1].views
    first, second = outcome.steps
    assert (first["predicted_percent"], first["asked_for"]) == (70, "prediction")
    assert (second["predicted_percent"], second["asked_for"]) == (None, "answer")
    assert FAMILIES[family].max_asks(spec_of(family, condition, "predict")) == 2


def test_flipsets_gold_stays_out_of_the_prompt() -> None:
    spec = spec_of("flipset", "L2", "wager")
    (ask,), _ = played(spec, "A")
    assert ask.truth["answer"] == trial_of(spec).gold
    assert "truth" not in repr(ask)


def test_selfids_task_is_staked_on_when_it_is_over() -> None:
    asks, outcome = played(spec_of("selfid", "E1", "wager"), SELFID_DONE, "BET: 6")
    plain, _ = played(spec_of("selfid", "E1", "natural"), SELFID_DONE)
    assert (asks[0].system, asks[0].user) == (plain[0].system, plain[0].user)
    assert "selected_cube=red" in asks[1].user
    assert [row["asked_for"] for row in outcome.steps] == ["answer", "stake"]
    assert (outcome.steps[1]["bet"], outcome.steps[1]["action"]) == (6, None)

    asks, outcome = played(spec_of("selfid", "E1", "predict"), "55", SELFID_DONE)
    assert [row["asked_for"] for row in outcome.steps] == ["prediction", "answer"]
    assert outcome.steps[0]["predicted_percent"] == 55
    assert asks[0].views == asks[1].views


def test_a_failed_stake_fails_the_episode() -> None:
    spec = spec_of("selfid", "E1", "opt_out")
    playing = FAMILIES["selfid"].play(spec, spec.rng())
    next(playing)
    playing.send(Turn(Observation((), None, {}), Reply(SELFID_DONE)))
    with pytest.raises(StopIteration) as end:
        playing.send(Turn(Observation((), None, {}), Reply("", error_kind="server")))
    assert (end.value.value.terminated, end.value.value.error_kind) == (False, "server")
