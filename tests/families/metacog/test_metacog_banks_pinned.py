"""Generated questions, their keys and their names stay as they are: recorded runs name them.

A change of a template, a word list or a draw changes the digest of its bank. A deliberate one needs
the family's next protocol number.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import pytest

from mirror_ray.families.metacog.bank.premises import premise_at
from mirror_ray.families.metacog.bank.transfer import transfer_at
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.levels.bank import SUBCATEGORIES, level_question, question_at
from mirror_ray.families.metacog.levels.composed import joined_at, trial_at
from mirror_ray.families.metacog.levels.scenarios import parts_at
from support.whole import mostly_thorough


def _of_domain(domain: str) -> Iterable[Any]:
    for subcategory in SUBCATEGORIES[domain]:
        for level in range(1, LEVELS + 1):
            for n in (*range(6), 4_999):
                yield level_question("exp1", domain, subcategory, level, n)


_BANKS: dict[str, Callable[[], Iterable[Any]]] = {
    **{domain: lambda domain=domain: _of_domain(domain) for domain in SUBCATEGORIES},  # type: ignore[misc]
    "by number": lambda: (question_at("exp5", n) for n in range(240)),
    "joined": lambda: map(joined_at, range(84)),
    "trials": lambda: map(trial_at, range(40)),
    "transfer": lambda: map(transfer_at, range(240)),
    "premises": lambda: map(premise_at, range(740)),
    "parts": lambda: map(parts_at, range(112)),
}
_DIGESTS = {
    "arithmetic": "236beec6356d9db1",
    "spatial": "735861f34f3ffe16",
    "temporal": "8c56a283c183a655",
    "linguistic": "e8e1a67bc3019452",
    "logical": "cb688264c3a04fec",
    "social": "31ec2a4aab861047",
    "factual": "8823314d34bbd568",
    "procedural": "863573eec32d87c0",
    "by number": "8d2ac7d08324f72d",
    "joined": "30aae2c1b072f9ca",
    "trials": "458b5abe0ea135a4",
    "transfer": "8ea94fd8dd414f87",
    "premises": "0605cec4d8fbf0d9",
    "parts": "5cae881fbd7279ad",
}


@pytest.mark.parametrize("bank", mostly_thorough(3, _BANKS))
def test_a_bank_is_what_it_was(bank: str) -> None:
    found = sha256()
    for item in _BANKS[bank]():
        found.update(json.dumps(asdict(item)).encode())
    assert found.hexdigest()[:16] == _DIGESTS[bank]
