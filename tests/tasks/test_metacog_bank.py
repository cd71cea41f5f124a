"""Generated items: balanced, never twice, always the same, and right by an independent check."""

import re
from collections import Counter
from difflib import SequenceMatcher
from itertools import product

import pytest

from mirror_ray.tasks.metacog.calculator import calculate
from mirror_ray.tasks.metacog_bank.burn import CONTROLS, trial_at
from mirror_ray.tasks.metacog_bank.draws import CAPACITY, Draws
from mirror_ray.tasks.metacog_bank.pairs import PAIRS, composed_at, parts_at, tailored_parts_at
from mirror_ray.tasks.metacog_bank.premises import FLAWS, premise_at
from mirror_ray.tasks.metacog_bank.question import DIFFICULTIES, DOMAINS
from mirror_ray.tasks.metacog_bank.questions import BLOCK, SUBCATEGORIES, question_at, question_of
from mirror_ray.tasks.metacog_bank.transfer import transfer_at

KINDS = [(domain, sub) for domain, subs in SUBCATEGORIES.items() for sub in subs]


def test_the_first_questions_are_balanced() -> None:
    eight = [question_at(index) for index in range(8)]
    assert {question.domain for question in eight} == set(DOMAINS)
    first = [question_at(index) for index in range(24)]
    assert {(q.domain, q.difficulty) for q in first} == set(product(DOMAINS, DIFFICULTIES))
    block = Counter((q.domain, q.subcategory, q.difficulty) for q in map(question_at, range(BLOCK)))
    assert len(block) == 8 * 5 * 3
    assert set(block.values()) == {1}


@pytest.mark.parametrize(("domain", "subcategory"), KINDS)
def test_no_question_comes_twice(domain: str, subcategory: str) -> None:
    for level in range(3):
        picked = range(0, CAPACITY, 7)
        texts = {question_of(domain, subcategory, level, n).text for n in picked}
        assert len(texts) == len(picked)


def test_ranks_below_the_capacity_differ_in_a_part() -> None:
    """However the ranges depend on each other: else a question could repeat unseen."""

    def parts(n: int) -> tuple[object, ...]:
        d = Draws("any kind", n)
        first = d.pick("abc")
        second = d.integer(0, 10 if first == "a" else 16)
        return first, second, *d.sample(range(9), 2)

    assert len({parts(n) for n in range(CAPACITY)}) == CAPACITY


def test_a_question_is_the_same_at_all_times() -> None:
    """Changing a template changes what paid episodes asked: this is the alarm for it."""
    assert question_at(0).text == "What is 16 + 66?"
    assert question_at(4_242) == question_at(4_242)


def test_mental_calculation_by_the_calculator() -> None:
    for level, n in product(range(3), range(40)):
        question = question_of("arithmetic", "mental_calculation", level, n)
        expression = question.text.removeprefix("What is ").removesuffix("?")
        assert calculate(expression) == float(question.key.answer)


def test_an_inclusion_exclusion_by_hand() -> None:
    for n in range(40):
        question = question_of("logical", "set_relations", 1, n)
        total, one, two, neither = map(int, re.findall(r"\d+", question.text))
        assert one + two - (total - neither) == int(question.key.answer)


def test_turns_by_walking_round_the_compass() -> None:
    compass = ["north", "east", "south", "west"]
    for n in range(60):
        question = question_of("spatial", "spatial_transformation", 0, n)
        start = re.search(r"faces (\w+)", question.text)
        assert start is not None
        if start[1] not in compass:
            continue
        turns = re.findall(r"(\d+)° to the (right|left)", question.text)
        quarter = sum(int(deg) // 90 * (1 if side == "right" else -1) for deg, side in turns)
        assert compass[(compass.index(start[1]) + quarter) % 4] == question.key.answer


@pytest.mark.parametrize(
    ("first", "second", "third", "follows"),
    [
        ((0, 0, 1), (0, 1, 2), (0, 0, 2), True),  # Barbara
        ((0, 0, 1), (1, 1, 2), (1, 0, 2), True),  # Celarent
        ((2, 0, 1), (0, 1, 2), (2, 0, 2), True),  # Darii
        ((0, 0, 1), (0, 1, 2), (2, 0, 2), False),  # no existential import
        ((0, 1, 0), (0, 1, 2), (0, 0, 2), False),
    ],
)
def test_known_syllogisms(
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    third: tuple[int, int, int],
    *,
    follows: bool,
) -> None:
    from mirror_ray.tasks.metacog_bank.logical import _follows

    assert _follows((first, second), third) is follows


def test_every_pair_of_domains_is_composed() -> None:
    composed = [composed_at(index) for index in range(4 * len(PAIRS))]
    assert len({question.text for question in composed}) == 112
    assert Counter(question.domain for question in composed) == dict.fromkeys(
        (" × ".join(pair) for pair in PAIRS), 4
    )


def test_a_composed_task_needs_its_first_answer() -> None:
    """Told the opposite of its gate, another question would count: both must be there."""
    gates = []
    for index in range(112):
        question = composed_at(index)
        parts = re.split(r"\nQuestion [23]\. ", question.text)
        assert len(parts) == 3
        assert parts[1] != parts[2]
        gates.append(parts[0].rpartition("\n")[2])
    assert all(gate.startswith("If the answer to question 1 ") for gate in gates)
    assert len(set(gates)) > 60


def test_two_part_tasks_are_alike_for_all_models_or_tailored() -> None:
    fixed = {frozenset((p.one.domain, p.two.domain)) for p in map(parts_at, range(28))}
    assert fixed == {frozenset(pair) for pair in PAIRS}
    weak = ("social", "spatial")
    strong = tuple(domain for domain in DOMAINS if domain not in weak)
    for index in range(24):
        parts = tailored_parts_at(index, strong, weak)
        assert parts.one.domain in strong
        assert parts.two.domain in weak


def test_trials_burn_one_domain_and_test_another() -> None:
    for index in range(16):
        trial = trial_at(index)
        assert trial.burn.domain == trial.related.domain == trial.baseline.domain
        assert trial.unrelated.domain == CONTROLS[trial.burn.domain]
        assert trial.burn.key.answer in trial.true_feedback
        assert trial.baseline.key.answer in trial.false_feedback


def test_premises_come_in_twins() -> None:
    for pair in range(24):
        flawed, sound = premise_at(2 * pair), premise_at(2 * pair + 1)
        assert (flawed.flawed, sound.flawed) == (True, False)
        assert flawed.flaw == sound.flaw == FLAWS[pair % 3]
        assert flawed.text != sound.text
        # The same people, things and numbers, but for what is wrong.
        alike = SequenceMatcher(None, flawed.text.split(), sound.text.split()).ratio()
        assert alike > 0.5
        if flawed.flaw != "wrong_approach":
            assert (
                re.findall(r"[A-Z]\w+", flawed.text)[-1:]
                == re.findall(r"[A-Z]\w+", sound.text)[-1:]
            )
        assert flawed.correction
        assert not sound.correction


def test_transfer_tasks_hide_every_domain() -> None:
    tasks = [transfer_at(index) for index in range(48)]
    assert Counter(task.domain for task in tasks) == dict.fromkeys(DOMAINS, 6)
    assert len({transfer_at(index).text for index in range(600)}) == 600
    assert len({premise_at(index).text for index in range(600)}) == 600
    assert not any(task.domain in task.text.casefold() for task in tasks)


def test_requests_are_of_many_kinds_and_earlier_editions_keep_theirs() -> None:
    kinds = {
        # Names, numbers and what is set in capitals vary within a kind.
        re.sub(r"\W+|\b[A-Z]\w*|\d\S*", " ", premise_at(index).text)[:40]
        for index in range(0, 220, 2)
    }
    assert len(kinds) >= 33
    domains = {premise_at(index).domain for index in range(220)}
    assert domains == set(DOMAINS)
    # What the first two editions asked, word for word.
    assert premise_at(18, few_kinds=True).text.startswith("I need the average of these four")
    assert premise_at(16, few_kinds=True).text.endswith("the ride takes 91 minutes.")
    assert premise_at(16).text != premise_at(16, few_kinds=True).text


def test_a_sound_twin_names_no_correction_and_a_flawed_one_does_not_itself() -> None:
    for index in range(0, 440, 2):
        flawed = premise_at(index)
        # What a reply would repeat of the request is no sign that it saw the flaw.
        assert not any(len(said) > 3 and said in flawed.text for said in flawed.correction), flawed
