"""What follows from which rows: seeds, stories, revisions, readers."""

from collections import Counter
from dataclasses import replace

import pytest

from mirror_ray.errors import SweepError
from mirror_ray.identity import Cell, EpisodeSpec
from mirror_ray.tasks.family import Shape
from mirror_ray.tasks.textmirror import FAMILY
from mirror_ray.tasks.textmirror.follows import feeds
from mirror_ray.tasks.textmirror.listings import LISTINGS
from mirror_ray.tasks.textmirror.makers import read_maker
from mirror_ray.tasks.textmirror.play import play
from mirror_ray.tasks.textmirror.positions import own_first, position_of
from mirror_ray.tasks.textmirror.seeds import N_BUILT_IN, built_in_seed
from mirror_ray.types import Observation, Outcome, Reply, Turn

MODELS = ("a", "b")
SHAPE = Shape(
    seeds=range(6),
    runs=1,
    models=MODELS,
    options={name: axis.default for name, axis in FAMILY.options.items()},
    where="sweep.yaml: stages.0",
)


def cell(condition: str, model: str = "a", axes=(), variant: str = "paper") -> Cell:
    return Cell("textmirror", condition, (("subject", model),), 0.7, variant, axes)


class Rows:
    """Earlier rows by hand, and models that have not ended."""

    def __init__(self, rows, unfinished=()) -> None:
        self._rows, self._unfinished = rows, unfinished
        self.parameters = {}

    def rows(self, sql, **parameters):
        self.parameters = parameters
        return self._rows

    def unfinished(self, model):
        return int(model in self._unfinished)


def story(author: str, seed: int):
    sentences = [f"{author} tells {seed} {place}." for place in range(5)]
    return {
        "episode_id": f"{author}{seed}",
        "author": author,
        "scene_seed": seed,
        "run": 0,
        "seed_text": "",
        "seed_origin": "",
        "sentences": sentences,
    }


def revision(author: str, editor: str, seed: int = 0):
    return {
        **story(author, seed),
        "episode_id": f"{author}{seed}{editor}",
        "parent_id": f"{author}{seed}",
        "editor": editor,
        "position": 2,
        "original_sentence": f"{author} tells {seed} 1.",
        "revised_sentence": f"{editor} changes it.",
    }


def test_every_place_is_revised_equally_often():
    for n_sentences in (2, 5, 7):
        places = Counter(position_of(seed, 0, n_sentences) for seed in range(20 * n_sentences))
        assert places == dict.fromkeys(range(1, n_sentences + 1), 20)


def test_places_are_in_no_order_of_their_own():
    assert len({tuple(position_of(5 * b + i, 0, 5) for i in range(5)) for b in range(40)}) > 20


def test_both_orders_of_two_sentences_are_equally_frequent():
    orders = [own_first(seed, 0, "b") for seed in range(100)]
    assert sum(orders) == 50
    assert orders != [own_first(seed, 0, "c") for seed in range(100)]


def test_built_in_seeds_all_differ():
    texts = {built_in_seed(number).text for number in range(N_BUILT_IN)}
    assert len(texts) == N_BUILT_IN


def test_an_editor_gets_every_authors_stories_at_their_own_places():
    earlier = Rows([story(author, seed) for author in MODELS for seed in range(6)])
    specs = list(LISTINGS["revision"].episodes(cell("revision", "b"), SHAPE, earlier))
    assert len(specs) == 12
    assert earlier.parameters == {"story": 0.7, "n_sentences": 5}
    assert all(s.given["position"] == position_of(s.scene_seed, 0, 5) for s in specs)
    other = list(LISTINGS["revision"].episodes(cell("revision", "a"), SHAPE, earlier))
    assert [s.given for s in specs] == [s.given for s in other]


def test_the_first_stories_are_known_only_once_all_have_ended():
    rows = [story(author, seed) for author in MODELS for seed in range(6)]
    few = replace(SHAPE, options={**SHAPE.options, "per_pair": 4})
    listed = list(LISTINGS["revision"].episodes(cell("revision"), few, Rows(rows, ("b",))))
    assert [s.given["author"] for s in listed] == ["a"] * 4
    later = list(LISTINGS["revision"].episodes(cell("revision"), few, Rows(rows)))
    assert {s.episode_id for s in listed} < {s.episode_id for s in later}


def test_readers_get_their_own_stories_or_others():
    rows = [revision(author, editor) for author in MODELS for editor in MODELS]
    own = LISTINGS["recognition"].episodes(cell("recognition"), SHAPE, Rows(rows))
    assert {(s.given["author"], s.given["editor"]) for s in own} == {("a", "a"), ("a", "b")}
    axes = (("reads", "others"),)
    others = LISTINGS["recognition"].episodes(cell("recognition", axes=axes), SHAPE, Rows(rows))
    assert {s.given["author"] for s in others} == {"b"}


def test_an_unchanged_story_is_read_once_whoever_revised_it():
    rows = [
        revision(author, editor, seed) for author in MODELS for editor in MODELS for seed in "12"
    ]
    at = cell("recognition", variant="unchanged")
    specs = list(LISTINGS["recognition"].episodes(at, SHAPE, Rows(rows)))
    assert [spec.given["parent_id"] for spec in specs] == ["a1", "a2"]
    assert not {"editor", "revised_sentence"} & specs[0].given.keys()
    fewer = list(LISTINGS["recognition"].episodes(at, SHAPE, Rows(rows[2:])))
    assert [spec.episode_id for spec in fewer] == [spec.episode_id for spec in specs]


def test_a_reader_chooses_between_two_sentences_only_if_one_is_its_own():
    rows = [revision(author, editor) for author in MODELS for editor in MODELS]
    same = {**revision("a", "b", 1), "revised_sentence": "a tells 1 1."}
    listed = LISTINGS["authorship"].episodes(cell("authorship"), SHAPE, Rows([*rows, same]))
    assert [(s.given["author"], s.given["editor"]) for s in listed] == [("a", "b")]


def test_the_pool_takes_so_many_of_each_models_seeds_at_random():
    rows = [
        {"model": "a", "prompts": [f"seed {number}" for number in range(60)]},
        {"model": "a", "prompts": [f"seed {number}" for number in range(40, 100)]},
        {"model": "b", "prompts": ["five"]},
    ]
    few = replace(SHAPE, options={**SHAPE.options, "seeds_per_model": 30})
    listed = list(LISTINGS["pooled_story"].episodes(cell("pooled_story"), few, Rows(rows)))
    own = [spec.given["seed_text"] for spec in listed if spec.given["seed_origin"] == "a"]
    assert [spec.scene_seed for spec in listed] == list(range(31))
    assert listed[-1].given == {"seed_text": "five", "seed_origin": "b"}
    # Of all her 100 different seeds, not the first ones, nor one of them twice.
    numbers = sorted(int(text.removeprefix("seed ")) for text in own)
    assert len(set(numbers)) == 30
    assert numbers[-1] >= 60
    again = LISTINGS["pooled_story"].episodes(cell("pooled_story", "b"), few, Rows(rows))
    assert [spec.given for spec in again] == [spec.given for spec in listed]
    # A list that comes later would move the others.
    too_early = LISTINGS["pooled_story"].episodes(cell("pooled_story"), few, Rows(rows, ("b",)))
    assert list(too_early) == []


def test_a_forecast_has_as_many_episodes_as_a_perfect_run():
    stories = [
        spec
        for model in MODELS
        for spec in LISTINGS["story"].episodes(cell("story", model), SHAPE, None)
    ]
    few = replace(SHAPE, options={**SHAPE.options, "per_pair": 5})
    revisions = [
        spec
        for model in MODELS
        for spec in LISTINGS["revision"].presumed(cell("revision", model), few, stories)
    ]
    # Of 2 authors' 6 stories 5 each, by 2 editors.
    assert len(revisions) == 20
    counted = {
        condition: len(list(LISTINGS[condition].presumed(cell(condition), SHAPE, revisions)))
        for condition in ("recognition", "authorship")
    }
    # Of one author's by 2 editors; and by the one other editor.
    assert counted == {"recognition": 10, "authorship": 5}
    other = replace(cell("recognition"), temperature=0.0)
    assert not list(LISTINGS["recognition"].presumed(other, SHAPE, revisions))


def test_seeds_from_a_file(tmp_path):
    file = tmp_path / "seeds.csv"
    file.write_text("prompt|model_of_original_prompt\nA cat, a hat.|Gemini\nA dog.|Grok\n")
    shape = replace(SHAPE, seeds=range(2), options={**SHAPE.options, "seed_file": str(file)})
    specs = list(LISTINGS["story"].episodes(cell("story"), shape, None))
    # In an order of their own, in which makers take turns.
    assert sorted(s.given["seed_text"] for s in specs) == ["A cat, a hat.", "A dog."]
    assert {s.given["seed_origin"] for s in specs} == {"Gemini", "Grok"}
    with pytest.raises(SweepError, match=r"seeds: 2"):
        list(LISTINGS["story"].episodes(cell("story"), replace(shape, seeds=range(3)), None))
    file.write_text('"prompt";"author"\n"A cat; a hat.";x\n')
    (quoted,) = LISTINGS["story"].episodes(cell("story"), replace(shape, seeds=range(1)), None)
    assert quoted.given == {"seed_text": "A cat; a hat.", "seed_origin": "file"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("text,author\nx,y\n", "a column `prompt`"),
        ("prompt,author\n,y\n", "line 2: an empty prompt"),
        ("prompt\nA dog.\nA cat, a hat.\n", "line 3: more fields than the 1 that the header"),
        (f"prompt\n{'A' * 200_000}\n", "line 2: field larger than field limit"),
        ("", "a column `prompt`"),
    ],
)
def test_a_wrong_seed_file_is_refused(tmp_path, text, message):
    file = tmp_path / "seeds.csv"
    file.write_text(text)
    shape = replace(SHAPE, options={**SHAPE.options, "seed_file": str(file)})
    with pytest.raises(SweepError, match=message):
        list(LISTINGS["story"].episodes(cell("story"), shape, None))


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


@pytest.mark.parametrize(("n_written", "kept"), [(4, False), (5, True), (6, False)])
def test_stories_of_another_length_are_not_kept(n_written, kept):
    (spec, *_) = LISTINGS["story"].episodes(cell("story"), SHAPE, None)
    text = " ".join(["Dr. Ames waited at 5 p.m. for the 3.40 train."] * n_written)
    _, outcome = answered(spec, text)
    assert (len(outcome.fields["sentences"]), outcome.fields["kept"]) == (n_written, kept)


def test_a_text_that_was_cut_off_is_none_but_a_first_number_is_one():
    (spec, *_) = LISTINGS["story"].episodes(cell("story"), SHAPE, None)
    _, outcome = answered(spec, "One. Two. Three. Four. And the fif", "length")
    assert (outcome.fields["kept"], outcome.steps[0]["parse_status"]) == (False, "failed")
    (spec,) = LISTINGS["revision"].episodes(cell("revision", "b"), SHAPE, Rows([story("a", 0)]))
    assert answered(spec, "A sentence that bre", "length")[1].fields["revised_sentence"] is None
    thinking = read_by("chain_of_thought", "Sentence 1 fits, and in sentence 2", "length")[1]
    assert (thinking.fields["predicted"], thinking.fields["correct"]) == (None, False)
    assert read_by("paper", "2, because", "length")[1].fields["correct"] is True


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
    first = replace(cell("revision"), edition=1)
    before = list(LISTINGS["revision"].episodes(first, few, Rows(rows)))
    assert [s.scene_seed for s in before] == list(range(40))


def test_a_few_seeds_of_a_file_are_of_all_makers(tmp_path):
    path = tmp_path / "seeds.csv"
    rows = [f"Seed {number},{'pqr'[number // 40]}" for number in range(120)]
    path.write_text("\n".join(["prompt,model_of_original_prompt", *rows]))
    shape = replace(SHAPE, seeds=range(30), options={**SHAPE.options, "seed_file": str(path)})
    listed = list(LISTINGS["story"].episodes(cell("story"), shape, None))
    assert Counter(s.given["seed_origin"] for s in listed) == dict.fromkeys("pqr", 10)
    assert listed == list(LISTINGS["story"].episodes(cell("story", "a"), shape, None))
    first = list(LISTINGS["story"].episodes(replace(cell("story"), edition=1), shape, None))
    assert [s.given["seed_text"] for s in first] == [f"Seed {number}" for number in range(30)]


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
    assert read_maker(text, makers).value == number


def test_two_sisters_take_the_wrong_train_and_stay_on_it():
    texts = [built_in_seed(number).text for number in range(N_BUILT_IN)]
    assert not any("two sisters" in text and "stays" in text for text in texts)
    former = [built_in_seed(number, first_edition=True).text for number in range(N_BUILT_IN)]
    assert sum(one != other for one, other in zip(texts, former, strict=True)) == 8
