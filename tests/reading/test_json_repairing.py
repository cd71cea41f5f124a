"""A repair ends, however a text is made; and an ordinary one is not kept from it."""

import json_repair
import pytest

from mirror_ray.reading.json_repairing import repaired
from mirror_ray.reading.parsing import MAX_REPAIR_CHARS

BROKEN = (
    "{'action': 'w', 'summary': 'it's a \"red\" cube', }",
    '{"action": "w" "summary": "cut of',
    '{action: w, summary: [1, 2, {"a": (b)}',
    '{"action": "w", /* a comment */ "summary": "x"]',
)


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_broken_as_usual_is_repaired_as_ever(text: str) -> None:
    assert repaired(text) == json_repair.loads(text)
    long = text.replace("w", "w and so on, until the wall. " * 150)[:MAX_REPAIR_CHARS]
    assert repaired(long) == json_repair.loads(long)


@pytest.mark.parametrize("piece", ["(", "'s ", 'a"b', "1'", ':"', '{"'])
def test_what_takes_the_square_of_its_length_is_given_up(piece: str) -> None:
    assert repaired('{"a": [1, ' + piece * (MAX_REPAIR_CHARS // len(piece))) is None


def test_no_nesting_is_too_deep() -> None:
    assert repaired('{"a":' * 1_000) is None
