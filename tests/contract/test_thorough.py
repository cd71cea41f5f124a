"""What `make test` leaves to `make test-thorough` names what is played in its place; it exists."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
MARK = re.compile(r'pytest\.mark\.thorough\(\s*"([^"]+)"')
NAMED = re.compile(r"[\w/]+\.py|[\w/]+/(?=[\s,]|$)")


def test_what_is_played_in_its_place_exists() -> None:
    reasons = 0
    for file in sorted(TESTS.rglob("test_*.py")):
        for instead in MARK.findall(file.read_text(encoding="utf-8")):
            reasons += 1
            folder = None
            for name in NAMED.findall(instead):
                places = [TESTS / name, *([folder / name] if folder else [])]
                found = next((place for place in places if place.exists()), None)
                assert found, f"{file.name}: {name} of {instead!r} is not in tests/"
                folder = found.parent
    assert reasons > 10
