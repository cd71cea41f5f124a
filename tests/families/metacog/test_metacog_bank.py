"""Generated items: balanced, never twice, always the same, and right by an independent check."""

import re
from collections import Counter
from difflib import SequenceMatcher
from zlib import crc32

from mirror_ray.core.identity import seeded
from mirror_ray.families.metacog.bank.draws import CAPACITY, Draws
from mirror_ray.families.metacog.bank.premises import FLAWS, premise_at
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.bank.transfer import transfer_at


def test_ranks_below_the_capacity_differ_in_a_part() -> None:
    """However the ranges depend on each other: else a question could repeat unseen."""

    def parts(n: int) -> tuple[object, ...]:
        d = Draws("any kind", n)
        first = d.pick("abc")
        second = d.integer(0, 10 if first == "a" else 16)
        return first, second, *d.sample(range(9), 2)

    assert len({parts(n) for n in range(CAPACITY)}) == CAPACITY


def test_further_parts_are_the_numbers_that_numpy_draws() -> None:
    d, drawn = Draws("any kind", 0, CAPACITY), seeded("metacog bank", "any kind", 0)
    rank = crc32(b"any kind") % CAPACITY
    assert d.integer(0, 3 * CAPACITY - 1) == drawn.integers(3 * rank, 3 * rank + 3)
    radixes = [1, 2, 3, 1_000, 2**31 + 1, 3 * 2**30] * 50
    assert [d.integer(5, 4 + n) for n in radixes] == [5 + drawn.integers(n) for n in radixes]


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


def test_requests_are_of_many_kinds() -> None:
    kinds = {
        # Names, numbers and what is set in capitals vary within a kind.
        re.sub(r"\W+|\b[A-Z]\w*|\d\S*", " ", premise_at(index).text)[:40]
        for index in range(0, 220, 2)
    }
    assert len(kinds) >= 33
    domains = {premise_at(index).domain for index in range(220)}
    assert domains == set(DOMAINS)


def test_a_sound_twin_names_no_correction_and_a_flawed_one_does_not_itself() -> None:
    for index in range(0, 440, 2):
        flawed = premise_at(index)
        # What a reply would repeat of the request is no sign that it saw the flaw.
        assert not any(len(said) > 3 and said in flawed.text for said in flawed.correction), flawed
