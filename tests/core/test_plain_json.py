"""JSON from outside: a key that occurs twice has two meanings, and is refused."""

import pytest

from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.engine.control.requests import read_request


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": 1, "a": 1}',
        '{"a": 1, "\\u0061": 2}',
        '[{"b": {"a": 1, "c": 2, "a": null}}]',
        '{"": 1, "": 2}',
    ],
)
def test_a_key_that_occurs_twice_is_refused(text: str) -> None:
    with pytest.raises(UnfitError, match="twice in one object"):
        read_json(text)


def test_one_key_in_several_objects_is_read() -> None:
    assert read_json('{"a": {"a": 1}, "b": [{"a": 2}, {"a": 3}]}')["b"][1] == {"a": 3}


def test_a_control_request_with_two_commands_is_refused() -> None:
    with pytest.raises(SweepError, match="'command' twice"):
        read_request(b'{"command": "state", "command": "stop"}')
