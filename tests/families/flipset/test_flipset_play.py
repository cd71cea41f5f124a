"""Playing a card: what is asked, what a reply comes to, and which failures are nobody's answer."""

import pytest

from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.flipset.family import FAMILY
from mirror_ray.families.flipset.trials import LABELS, trial_of
from mirror_ray.world.tabletop.card import CardView

COMMON = {"parse_status", "parse_fixes"}
FACTS = dict.fromkeys(columns_of("flipset").facts, 7)


def spec(
    condition: str = "L2", scene_seed: int = 0, *, variant: str = "paper", **axes: Scalar
) -> EpisodeSpec:
    cell = Cell("flipset", condition, (("subject", "m"),), 0.0, variant, tuple(axes.items()))
    return EpisodeSpec(cell, scene_seed, 0)


def played(one: EpisodeSpec, reply: Reply) -> tuple[Ask, Outcome]:
    playing = FAMILY.play(one, one.rng())
    ask = next(playing)
    with pytest.raises(StopIteration) as end:
        playing.send(Turn(Observation((), None, FACTS), reply))
    outcome: Outcome = end.value.value
    (row,) = outcome.steps
    assert set(row) - COMMON == set(columns_of("flipset").steps.names)
    assert set(outcome.fields) == set(columns_of("flipset").episodes.names)
    return ask, outcome


def test_the_prompt_is_the_published_one_and_does_not_tell_where_the_monkey_sits() -> None:
    ask, outcome = played(spec(), Reply("A"))
    trial = trial_of(spec())
    options = "\n".join(
        f"{label}. {text}" for label, text in zip(LABELS, trial.options, strict=True)
    )
    assert ask.system == ""
    question = "What does the monkey see on the card? Choose A, B, C, or D."
    assert ask.user == f"{question}\nOptions:\n{options}"
    (view,) = ask.views
    assert isinstance(view, CardView)
    assert (view.text, view.monkey_deg, view.screen) == (trial.text, 180, "none")
    assert outcome.fields["gold"] == trial.gold


@pytest.mark.parametrize("place", range(4))
def test_each_letter_means_what_its_option_is(place: int) -> None:
    _, outcome = played(spec(scene_seed=40), Reply(LABELS[place]))
    (row,) = outcome.steps
    assert (row["answer"], row["parse_status"]) == (LABELS[place], "strict")
    assert row["chosen_kind"] == outcome.fields["option_kinds"][place]
    assert outcome.terminated


def test_no_readable_answer_is_a_fail_and_is_not_asked_again() -> None:
    _, outcome = played(spec(), Reply("I cannot tell."))
    assert (outcome.terminated, outcome.steps[0]["chosen_kind"]) == (True, "fail")


def test_only_a_whole_answer_counts_beside_an_error() -> None:
    """A chain of thought that broke off may have been about to say something else."""
    down = Reply("", error_kind="server")
    whole = Reply("It is turned.\nAnswer: C", error_kind="server")
    broken = Reply("Let us see. Option A) reads 18. The answer is B", error_kind="server")
    for reply, answer in ((down, None), (whole, "C"), (broken, None)):
        _, outcome = played(spec(prompting="cot"), reply)
        (row,) = outcome.steps
        assert row["answer"] == answer
        assert outcome.terminated == (answer is not None)
        assert outcome.error_kind == ("server" if answer is None else "none")
        assert (row["chosen_kind"] is None) == (answer is None)


def test_our_words_have_a_frame() -> None:
    ask, _ = played(spec(variant="framed"), Reply("A"))
    assert ask.system.startswith("You will see a picture")
    assert "\nA) " in ask.user
    assert ask.user.endswith("Reply with the letter of the right option only.")


@pytest.mark.parametrize(
    ("variant", "monkey_deg"), [("paper", 90), ("alone", None), ("framed", None)]
)
def test_rotation_shows_the_same_picture_as_level_2_under_paper(
    variant: str, monkey_deg: int | None
) -> None:
    ask, _ = played(spec("MR", variant=variant, angle_deg=90), Reply("A"))
    assert "turned clockwise by 90 degrees" in ask.user
    assert ask.views[0].monkey_deg == monkey_deg  # type: ignore[attr-defined]
    if variant == "paper":
        assert ask.views == played(spec("L2", angle_deg=90), Reply("A"))[0].views


def test_all_texts_of_a_set_have_one_type_size() -> None:
    for axes in ({}, {"strings": "length-6"}, {"angle_deg": 90}):
        asks = [played(spec("L2", seed, **axes), Reply("A"))[0] for seed in range(4)]
        assert len({ask.views[0].type_size_px for ask in asks}) == 1  # type: ignore[attr-defined]


def test_statements_about_a_standing_card_are_false_but_for_one() -> None:
    flat, upright = (
        played(spec("ToM", scene=scene), Reply("A"))[0] for scene in ("flat", "upright")
    )
    assert "only the back of the card" in flat.user
    assert "only the back of the card" not in upright.user
    assert "nothing printed" not in upright.user
    assert upright.views[0].stands  # type: ignore[attr-defined]


def test_a_screen_before_its_eyes() -> None:
    for scene_seed in range(24):
        ask, outcome = played(spec("L1", scene_seed), Reply("A"))
        screened = ask.views[0].screen == "between"  # type: ignore[attr-defined]
        assert outcome.fields["hidden"] is screened
        right = outcome.fields["options"][LABELS.index(outcome.fields["gold"])]
        assert right == ("No" if screened else "Yes")
