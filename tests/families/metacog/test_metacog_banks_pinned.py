"""Generated questions, their keys and their names stay as they are: recorded runs name them.

A change of a template, a word list or a draw changes the digest of its bank. A deliberate one needs
the family's next protocol number.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256

import pytest

from mirror_ray.families.metacog.bank.premises import premise_at
from mirror_ray.families.metacog.bank.transfer import transfer_at
from mirror_ray.families.metacog.levels.bank import SUBCATEGORIES, question_at, question_of
from mirror_ray.families.metacog.levels.composed import joined_at, trial_at
from mirror_ray.families.metacog.levels.kind import LEVELS
from mirror_ray.families.metacog.levels.scenarios import parts_at


def _of_domain(domain: str) -> Iterable[object]:
    for subcategory in SUBCATEGORIES[domain]:
        for level in range(1, LEVELS + 1):
            for n in (*range(6), 4_999):
                yield question_of("exp1", domain, subcategory, level, n)


_BANKS: dict[str, Callable[[], Iterable[object]]] = {
    **{domain: lambda domain=domain: _of_domain(domain) for domain in SUBCATEGORIES},  # type: ignore[misc]
    "by number": lambda: (question_at("exp5", n) for n in range(240)),
    "joined": lambda: map(joined_at, range(84)),
    "trials": lambda: map(trial_at, range(40)),
    "transfer": lambda: map(transfer_at, range(240)),
    "premises": lambda: map(premise_at, range(740)),
    "parts": lambda: map(parts_at, range(112)),
}
_DIGESTS = {
    "arithmetic": "987f98bba0cbdb47",
    "spatial": "9654ba22df49d00b",
    "temporal": "72b95b76dc2a0d83",
    "linguistic": "eef60ee1025916de",
    "logical": "a6f8ded2d771b228",
    "social": "52dd66b70dac836c",
    "factual": "c7e608e1ac0dbda8",
    "procedural": "975052a1ba14d0cf",
    "by number": "52e65a84e7f0bc56",
    "joined": "7c8c5f74bf427c73",
    "trials": "7214d8e55502d263",
    "transfer": "026b1a6668b77a63",
    "premises": "5d127360962fd46a",
    "parts": "d1f394a88ffdb1ad",
}


@pytest.mark.parametrize("bank", _BANKS)
def test_a_bank_is_what_it_was(bank: str) -> None:
    found = sha256()
    for item in _BANKS[bank]():
        found.update(repr(item).encode())
    assert found.hexdigest()[:16] == _DIGESTS[bank]
