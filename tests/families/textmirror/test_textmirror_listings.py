"""What follows from which rows: seeds, stories, revisions, readers."""

from collections import Counter
from dataclasses import replace

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.families.textmirror.listings import LISTINGS
from mirror_ray.families.textmirror.positions import own_first, position_of
from mirror_ray.families.textmirror.seeds import N_BUILT_IN, built_in_seed
from support.tasks.textmirror_rows import MODELS, SHAPE, Rows, cell, revision, story


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
    assert not any(LISTINGS["recognition"].feeds(spec.cell, other) for spec in revisions)


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
