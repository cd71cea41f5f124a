"""The report says what a bank holds; the generated one holds many tasks, with balanced answers."""

from dataclasses import replace

import pytest

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Question
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.bank_report import contents_of, skeleton
from mirror_ray.families.metacog.levels.bank import KINDS, LEVEL_CAPACITY
from support.whole import mostly_thorough

ONE = Question("1", "logical", "some", None, "Has Ben 3 lamps?", keys.yes_no(is_yes=True))


def test_a_skeleton_is_what_is_left_without_names_and_numbers() -> None:
    assert skeleton("Ben has 3 lamps. Then Carla finds 40 more.") == skeleton(
        "Keiko has 12 bells. Then Ivan finds 7 more."
    )
    # The same sentences in another order, or more of them, are the same task.
    assert skeleton("Ben has 3 lamps. Ben finds 4 more. Ivan finds 5 more.") == skeleton(
        "Vera finds 4 more. Emil has 30 jars."
    )
    assert skeleton("Ben has 3 lamps.") != skeleton("Ben lost 3 lamps.")


def test_duplicates_contradictions_and_balance_are_counted() -> None:
    no = replace(ONE, key=keys.yes_no(is_yes=False))
    found = contents_of([ONE, replace(ONE, text="Has Ben  3 lamps?"), no])
    assert (found.n, found.duplicates, found.contradictions, found.skeletons) == (3, 2, 1, 2)
    assert found.yes == pytest.approx(2 / 3)
    always_b = [
        replace(ONE, key=keys.letter(1, ["x", "y"]), text=f"Which, {n}?") for n in range(20)
    ]
    assert contents_of(always_b).letter == 2
    tens = [replace(ONE, key=keys.number_key(10 * n), text=f"What, {n}?") for n in range(1, 61)]
    assert contents_of(tens).digit == 10
    solved = contents_of([ONE, no], lambda question: question.key.answer == "yes")
    assert (solved.agreed, solved.solved) == (1, 2)


@pytest.mark.parametrize("domain", mostly_thorough(3, KINDS))
def test_a_domain_has_many_tasks_and_balanced_answers(domain: str) -> None:
    # Straight from each kind, 120 over all levels.
    drawn = []
    for sub, kind in KINDS[domain].items():
        for n in range(120):
            level = 1 + n % LEVELS
            draft = kind(Draws(f"reported.{sub}.{level}", n, LEVEL_CAPACITY), level)
            drawn.append(Question(f"{sub}.{n}", domain, sub, None, draft.text, draft.key, level))
    found = contents_of(drawn)
    assert found.skeletons >= 150
    assert found.duplicates <= 2
    assert found.contradictions == 0
    booleans = sum(question.key.kind == "boolean" for question in drawn)
    if booleans >= 60:
        assert found.yes == pytest.approx(0.5, abs=0.12)
    if found.digit is not None:
        assert found.digit < 2.5
