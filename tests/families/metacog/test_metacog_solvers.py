"""Independent solvers agree with every key: from the printed question, on other principles."""

import pytest

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.levels.bank import KINDS, LEVEL_CAPACITY
from mirror_ray.families.metacog.levels.scenarios import parts_at
from support.solvers_of_metacog import SOLVERS, agrees
from support.solvers_of_metacog.scenes import PARTS
from support.whole import examples

OF_EACH = examples(5, 13)
"""Questions of each kind and level: with 40 kinds at ten levels, 2,000 or 5,200."""


@pytest.mark.parametrize(("domain", "sub"), [(d, s) for d in SOLVERS for s in SOLVERS[d]])
def test_solvers_agree_with_every_key(domain: str, sub: str) -> None:
    kind, solve = KINDS[domain][sub], SOLVERS[domain][sub]
    for level in range(1, LEVELS + 1):
        for n in range(OF_EACH):
            draft = kind(Draws(f"solved.{domain}.{sub}.{level}", 97 * n, LEVEL_CAPACITY), level)
            assert agrees(solve(draft.text), draft.key), (draft.text, draft.key)


def test_solvers_agree_with_both_parts_of_a_task() -> None:
    for index in range(examples(140, 280)):
        parts = parts_at(index)
        for part in (parts.one, parts.two):
            answer = PARTS[part.domain](parts.scene, part.text)
            assert agrees(answer, part.key), (parts.scene, part.text, part.key, answer)
