"""The second bank: no item of one experiment is seen in another; balanced; always the same."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from zlib import crc32

import pytest

from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.metacog.bank.pairs import Parts
from mirror_ray.families.metacog.bank.question import DIFFICULTIES, DOMAINS, Question
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.family import FAMILY
from mirror_ray.families.metacog.items import feedback_trial_of, item_of
from mirror_ray.families.metacog.levels.bank import (
    MOST_SEEDS,
    RANGE,
    USES,
    level_question,
    question_at,
    question_in,
)
from mirror_ray.families.metacog.levels.composed import (
    MOST_JOINED,
    MOST_TRIALS,
    joined_at,
    trial_at,
)
from mirror_ray.families.metacog.levels.scenarios import parts_at, tailored_parts_at
from mirror_ray.families.metacog.levels.staircase import TRIALS
from mirror_ray.families.metacog.play import play


def cell_of(condition: str, **axes: str) -> Cell:
    chosen = tuple(sorted(axes.items()))
    return Cell("metacog", condition, (("subject", "m"),), 0.0, "paper", chosen)


def texts_of(condition: str, n: int, **axes: str) -> Iterator[str]:
    """Every question of an experiment's first n items, as its episodes ask them."""
    for seed in range(n):
        spec = EpisodeSpec(cell_of(condition, **axes), seed, 0)
        if condition == "exp4":
            trial = feedback_trial_of(spec)
            yield from (trial.baseline.text, trial.burn.text, trial.related.text)
            yield trial.unrelated.text
        elif condition == "exp3":
            # The question on which the task turns and both of which it may be the other.
            said = item_of(spec, "exp3", "natural").question.text
            one, _, rest = said.partition("\nIf the answer to question 1 ")
            two, three = rest.split("\nQuestion 2. ")[1].split("\nQuestion 3. ")
            yield from (one.removeprefix("Question 1. "), two, three)
        elif condition == "exp9-C1":
            parts = parts_at(seed)
            yield from (f"{parts.scene} {part.text}" for part in (parts.one, parts.two))
        elif condition == "staircase":
            domain, turn = DOMAINS[seed % 8], seed // 8
            for trial_number in range(TRIALS):
                level = 1 + (seed + trial_number) % LEVELS
                yield question_in("staircase", domain, level, turn * TRIALS + trial_number).text
        else:
            yield item_of(spec, condition, "natural").question.text


def test_the_bank_is_the_same_at_all_times() -> None:
    """The alarm for a changed template: with it the family's protocol needs a new number."""
    texts = [question_at("exp1", index) for index in range(120)]
    texts += [
        question_in("staircase", domain, level, n)
        for level, domain, n in product((1, 6, 10), DOMAINS, range(5))
    ]
    texts += [joined_at(index) for index in range(14)]
    for trial in map(trial_at, range(4)):
        texts += [trial.baseline, trial.burn, trial.related, trial.unrelated]
    assert crc32("\n".join(f"{one.text} {one.key.answer}" for one in texts).encode()) == 3995601638


def _asked_of(domain: str, subcategory: str) -> Iterator[Question]:
    for level, n in product(range(1, LEVELS + 1, 3), range(12)):
        yield level_question("exp1", domain, subcategory, level, n)


def test_the_first_free_time_is_mostly_between_appointments() -> None:
    places = Counter[str]()
    for one in _asked_of("temporal", "scheduling"):
        if "the earliest time" in one.text:
            last = max(re.findall(r" to (\d\d:\d\d)", one.text))
            places["between" if "08:00" < one.key.answer < last else "at an end"] += 1
    assert places["between"] > 0.5 * places.total()


def test_no_single_clue_says_what_is_asked() -> None:
    asks = re.compile(r"How many objects stand between the (\w+) and the (\w+)\?")
    close = r"objects? stands? between|is directly to|is next to|are neighbours"
    for one in _asked_of("spatial", "relative_positioning"):
        if asked := asks.search(one.text):
            clues = one.text[: asked.start()].partition("front: ")[2].split("; ")
            both = [clue for clue in clues if all(name in clue for name in asked.groups())]
            assert not [clue for clue in both if re.search(close, clue)], one.text


def test_no_protocol_contradicts_itself_and_no_conditional_is_said_twice() -> None:
    for one in _asked_of("procedural", "protocol_compliance"):
        assert one.text.count("must be the last step") < 2
    for one in _asked_of("logical", "conditional_reasoning"):
        told = [clause.casefold() for clause in one.text.partition(". Now ")[0].split("; ")]
        assert len(set(told)) == len(told) or "island" in one.text, one.text


def test_no_item_of_one_experiment_is_seen_in_another() -> None:
    sizes = {"exp1": 48, "exp2": 24, "exp3": 14, "exp4": 8, "exp5": 24, "exp6a": 24}
    sizes |= {"exp6c": 24, "exp9-C1": 56, "staircase": 1}
    asked = {condition: list(texts_of(condition, n)) for condition, n in sizes.items()}
    for condition, texts in asked.items():
        assert len(set(texts)) == len(texts), condition
    for one, two in combinations(asked, 2):
        assert not set(asked[one]) & set(asked[two]), (one, two)


def test_at_equal_levels_the_uses_differ_too() -> None:
    """The staircase is asked at the very levels that a later stage takes. Where facts are few, the
    easiest questions soon repeat: within a use, never in another.
    """
    asked = [{question_at(use, n, 1).text for n in range(24)} for use in USES]
    assert not any(one & two for one, two in combinations(asked, 2))
    history = [
        {level_question(use, "factual", "history", 1, n).text for n in range(40)} for use in USES
    ]
    assert not any(one & two for one, two in combinations(history, 2))


def test_the_first_questions_are_balanced() -> None:
    first = [question_at("exp1", index) for index in range(24)]
    assert {(q.domain, q.difficulty) for q in first} == set(product(DOMAINS, DIFFICULTIES))
    block = Counter((q.domain, q.subcategory) for q in (question_at("exp5", i) for i in range(120)))
    assert set(block.values()) == {3}
    composed = Counter(joined_at(index).difficulty for index in range(28))
    assert max(composed.values()) - min(composed.values()) <= 1


def test_a_gate_on_an_open_word_does_not_name_it() -> None:
    gates = [joined_at(index).text.split("\nQuestion 2. ")[0] for index in range(168)]
    open_words = [gate for gate in gates if "with that one word" in gate]
    assert open_words
    assert all(" letters, answer question 2" in gate for gate in open_words)


def test_a_question_is_the_same_at_all_times() -> None:
    """Changing a template changes what paid episodes asked: this is the alarm for it."""
    assert question_at("exp1", 0).text == "Work out (53 - 72) + 9 × 11."
    assert question_at("exp1", 4_242) == question_at("exp1", 4_242)
    assert trial_at(3) == trial_at(3)


def test_what_is_beyond_a_range_is_refused() -> None:
    with pytest.raises(ValueError, match="at 1 to 10"):
        level_question("exp1", "logical", "syllogisms", 3, RANGE)
    with pytest.raises(ValueError, match="at 1 to 10"):
        level_question("exp1", "logical", "syllogisms", LEVELS + 1, 0)
    question_at("exp1", MOST_SEEDS - 1)
    joined_at(MOST_JOINED - 1)
    trial_at(MOST_TRIALS - 1)
    for condition, most in (("exp1", MOST_SEEDS), ("exp3", MOST_JOINED), ("exp4", MOST_TRIALS)):
        shape = Shape([most], 1, ("m",), {"bank": ""}, "s.yaml: stages.0")
        with pytest.raises(SweepError, match=f"numbers below {most}"):
            list(FAMILY.listings[condition].episodes(cell_of(condition), shape, None))


def asked_by(spec: EpisodeSpec) -> str:
    return next(play(spec, spec.rng())).user


@pytest.mark.parametrize(("condition", "axes"), [("exp1", {"level": "4"}), ("staircase", {})])
def test_levels_are_refused_where_there_are_none(condition: str, axes: dict[str, str]) -> None:
    listing = FAMILY.listings[condition]
    published = Shape(range(8), 1, ("m",), {"bank": "some.jsonl"}, "s.yaml: stages.0")
    with pytest.raises(SweepError, match="no levels of difficulty"):
        list(listing.episodes(cell_of(condition, **axes), published, None))


def named(parts: Parts) -> set[str]:
    return set(parts.scene.split(" have ")[0].split(", ", 1)[1].replace(" and ", ", ").split(", "))


def test_both_parts_of_a_task_follow_from_its_scene() -> None:
    """Neither question can be answered from itself: each names what only the scene tells."""
    for index in range(0, 560, 5):
        parts = parts_at(index)
        assert len(named(parts)) == 4
        for part in (parts.one, parts.two):
            assert not any(mark in part.text for mark in ("respectively", " moves ", " begins "))
            assert len(part.text) < 200


def test_tailored_tasks_are_no_fixed_ones() -> None:
    weak, strong = (
        ("social", "spatial"),
        tuple(d for d in DOMAINS if d not in ("social", "spatial")),
    )
    tailored = {tailored_parts_at(index, strong, weak).scene for index in range(48)}
    assert len(tailored) == 48
    assert not tailored & {parts_at(index).scene for index in range(560)}
