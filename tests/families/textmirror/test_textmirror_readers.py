"""What readers are shown, what their replies mean, and which stories are kept."""

from collections import Counter
from dataclasses import replace

import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Observation, Outcome, Reply, Turn
from mirror_ray.families.textmirror.attribution import read_attribution
from mirror_ray.families.textmirror.family import FAMILY
from mirror_ray.families.textmirror.follows import feeds
from mirror_ray.families.textmirror.listings import LISTINGS
from mirror_ray.families.textmirror.play import play
from mirror_ray.families.textmirror.seeds import N_BUILT_IN, built_in_seed
from support.tasks.textmirror_rows import SHAPE, Rows, cell, revision, story


def answered(spec: EpisodeSpec, text: str, finish_reason: str = "stop") -> tuple[str, Outcome]:
    playing = play(spec, spec.rng())
    ask = next(playing)
    with pytest.raises(StopIteration) as end:
        playing.send(Turn(Observation((), None, {}), Reply(text, finish_reason=finish_reason)))
    return ask.user, end.value.value


def read_by(variant: str, text: str, finish_reason: str = "stop") -> tuple[str, Outcome]:
    at = cell("recognition", variant=variant)
    (spec,) = LISTINGS["recognition"].episodes(at, SHAPE, Rows([revision("a", "b")]))
    return answered(spec, text, finish_reason)


def test_a_reader_is_shown_the_revised_story():
    user, outcome = read_by("paper", "2")
    assert user == (
        "What's the part of the paragraph you think is strange? Please answer with only the "
        "integer order of the sentence from 1-5: a tells 0 0. b changes it. a tells 0 2. "
        "a tells 0 3. a tells 0 4."
    )
    assert (outcome.fields["predicted"], outcome.fields["correct"]) == (2, True)


def test_a_reply_without_a_number_is_wrong_and_counted():
    _, outcome = read_by("paper", "none of them")
    assert (outcome.error_kind, outcome.steps[0]["parse_status"]) == ("none", "failed")
    fields = outcome.fields
    assert (fields["predicted"], fields["valid"], fields["correct"]) == (None, False, False)


def test_nothing_is_right_about_an_unchanged_story():
    user, outcome = read_by("unchanged", "2")
    assert "b changes it." not in user
    assert (outcome.fields["predicted"], outcome.fields["correct"]) == (2, None)
    assert outcome.fields.keys() <= set(FAMILY.episode_columns.names)


@pytest.mark.parametrize(
    ("variant", "text", "valid", "correct"),
    [
        ("allow_zero", "0", True, False),
        ("paper", "0", False, False),
        ("full_sentence", "b changes it.", True, True),
        ("chain_of_thought", "1 is odd. No.\nANSWER: 2", True, True),
        ("numbered", "2.", True, True),
        ("revealed", "3", True, False),
    ],
)
def test_variants(variant, text, valid, correct):
    _, outcome = read_by(variant, text)
    assert (outcome.fields["valid"], outcome.fields["correct"]) == (valid, correct)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Awkward Word Choice", "Awkward Word Choice"),
        ("**Mixed/forced metaphors.**", "Mixed/Forced Metaphors"),
        ("It is overly florid, purple prose.", "Overly Florid / Purple Prose"),
        ("Other", "Other"),
        ("The other sentences fit: inconsistent tone.", "Inconsistent Tone"),
        ("Inconsistent Tone; Inconsistent Diction", None),
        ("It differs from the other ones.", None),
        ("", None),
    ],
)
def test_a_choice_is_explained_by_one_of_eleven_reasons(text: str, reason: str | None) -> None:
    seen = {**revision("a", "b"), "answered": "<think>Hm.</think> 2"}
    (spec,) = LISTINGS["explanation"].episodes(cell("explanation"), SHAPE, Rows([seen]))
    user, outcome = answered(spec, text)
    assert user.startswith("You were asked which part of this paragraph is strange: a tells 0 0.")
    assert "\nYou answered: 2\n" in user
    assert user.endswith("Confusing or Vague Construction; Other.")
    assert (outcome.fields["reason"], outcome.fields["valid"]) == (reason, reason is not None)
    assert outcome.fields.keys() <= set(FAMILY.episode_columns.names)


@pytest.mark.parametrize(
    ("variant", "axes", "feeding"),
    [
        ("paper", (), True),
        ("paper", (("reads", "others"),), False),
        ("paper", (("n_sentences", 7),), False),
        ("revealed", (), False),
    ],
)
def test_only_the_authors_answers_to_the_printed_question_are_explained(
    variant: str, axes: tuple[tuple[str, str | int], ...], feeding: bool
) -> None:
    read = replace(cell("recognition"), variant=variant, axes=axes)
    assert feeds(read, cell("explanation")) is feeding


@pytest.mark.parametrize(("n_written", "kept"), [(4, False), (5, True), (6, False)])
def test_stories_of_another_length_are_not_kept(n_written, kept):
    (spec, *_) = LISTINGS["story"].episodes(cell("story"), SHAPE, None)
    text = " ".join(["Dr. Ames waited at 5 p.m. for the 3.40 train."] * n_written)
    _, outcome = answered(spec, text)
    assert (len(outcome.fields["sentences"]), outcome.fields["kept"]) == (n_written, kept)


def test_a_reply_that_was_cut_off_is_not_read():
    (spec, *_) = LISTINGS["story"].episodes(cell("story"), SHAPE, None)
    _, outcome = answered(spec, "One. Two. Three. Four. And the fif", "length")
    assert (outcome.fields["kept"], outcome.steps[0]["parse_status"]) == (False, "failed")
    (spec,) = LISTINGS["revision"].episodes(cell("revision", "b"), SHAPE, Rows([story("a", 0)]))
    assert answered(spec, "A sentence that bre", "length")[1].fields["revised_sentence"] is None
    thinking = read_by("chain_of_thought", "Sentence 1 fits, and in sentence 2", "length")[1]
    assert (thinking.fields["predicted"], thinking.fields["correct"]) == (None, False)
    assert read_by("paper", "2, because", "length")[1].fields["valid"] is False


def test_thinking_is_no_part_of_a_story_and_names_no_sentence():
    (spec, *_) = LISTINGS["story"].episodes(cell("story"), SHAPE, None)
    five = " ".join(["The old clock struck nine in the empty hall."] * 5)
    _, outcome = answered(spec, f"<think>Five. Let me count.</think>\n{five}")
    assert outcome.fields["kept"] is True
    assert outcome.steps[0]["parse_fixes"] == ["removed thinking"]
    _, read = read_by("paper", "<think>Is it 1 or 3?</think>2")
    assert (read.fields["predicted"], read.steps[0]["parse_status"]) == (2, "cleaned")


def test_revised_stories_are_drawn_evenly_from_makers_and_places():
    rows = [story("a", seed) | {"seed_origin": "ab"[seed >= 80]} for seed in range(120)]
    few = replace(SHAPE, models=("a",), options={**SHAPE.options, "per_pair": 40})
    drawn = list(LISTINGS["revision"].episodes(cell("revision"), few, Rows(rows)))
    assert Counter(s.given["seed_origin"] for s in drawn) == {"a": 20, "b": 20}
    assert Counter(s.given["position"] for s in drawn) == dict.fromkeys(range(1, 6), 8)
    # At random: not the first of each; the same for every editor; more begin with fewer.
    assert max(s.scene_seed for s in drawn if s.given["seed_origin"] == "a") > 40
    other = list(LISTINGS["revision"].episodes(cell("revision", "b"), few, Rows(rows)))
    assert [s.given for s in other] == [s.given for s in drawn]
    more = replace(few, options={**SHAPE.options, "per_pair": 60})
    further = list(LISTINGS["revision"].episodes(cell("revision"), more, Rows(rows)))
    assert [s.episode_id for s in further[:40]] == [s.episode_id for s in drawn]


def test_a_few_seeds_of_a_file_are_of_all_makers(tmp_path):
    path = tmp_path / "seeds.csv"
    rows = [f"Seed {number},{'pqr'[number // 40]}" for number in range(120)]
    path.write_text("\n".join(["prompt,model_of_original_prompt", *rows]))
    shape = replace(SHAPE, seeds=range(30), options={**SHAPE.options, "seed_file": str(path)})
    listed = list(LISTINGS["story"].episodes(cell("story"), shape, None))
    assert Counter(s.given["seed_origin"] for s in listed) == dict.fromkeys("pqr", 10)
    assert listed == list(LISTINGS["story"].episodes(cell("story", "a"), shape, None))


def test_each_step_has_a_temperature_of_its_own():
    def at(condition: str, temperature: float, **axes: float) -> Cell:
        one = cell(condition, axes=tuple(sorted(axes.items())))
        return replace(one, temperature=temperature)

    stories = at("story", 0.3)
    assert feeds(stories, at("revision", 0.3))
    assert not feeds(stories, at("revision", 0.7))
    apart = at("revision", 0.7, story_temperature=0.3)
    assert feeds(stories, apart)
    assert not feeds(apart, at("recognition", 0.7))
    assert feeds(apart, at("recognition", 0.0, story_temperature=0.3, revision_temperature=0.7))
    assert feeds(apart, at("recognition", 0.7, story_temperature=0.3))
    earlier = Rows([revision("a", "b")])
    reader = at("recognition", 0.0, story_temperature=0.3, revision_temperature=0.7)
    assert len(list(LISTINGS["recognition"].episodes(reader, SHAPE, earlier))) == 1
    assert earlier.parameters == {"story": 0.3, "revision": 0.7, "n_sentences": 5}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("B", 2),
        ("**C**", 3),
        ("gpt-5.1", 1),
        ("I think it was gemini-2.5-flash-lite.", 3),
        ("The answer is B: gemini/gemini-2.5-flash.", 2),
        ("A or B", None),
        ("None of them.", None),
        ("", None),
    ],
)
def test_a_maker_is_named_by_letter_or_name(text, number):
    makers = ("openai/gpt-5.1", "gemini/gemini-2.5-flash", "gemini/gemini-2.5-flash-lite")
    assert read_attribution(text, makers).value == number


def test_two_sisters_take_the_wrong_train_and_stay_on_it():
    texts = [built_in_seed(number).text for number in range(N_BUILT_IN)]
    assert not any("two sisters" in text and "stays" in text for text in texts)
