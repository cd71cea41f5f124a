"""JSON from outside: a key that occurs twice has two meanings, and is refused."""

import ast
from math import inf
from pathlib import Path

import pytest

import mirror_ray.analysis
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_json import parse_json, read_json
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


def test_a_reader_of_any_json_refuses_a_key_that_occurs_twice_too() -> None:
    assert parse_json(b'{"a": [1e999]}') == {"a": [inf]}
    with pytest.raises(ValueError, match="'a' twice in one object"):
        parse_json('[{"a": 1, "b": 0, "a": 1}]')
    with pytest.raises(ValueError, match="recursion"):
        parse_json("[" * 100_000)


_DIRECT = {
    "core/plain_json.py": 2,  # the readers themselves
    "providers/completion_body.py": 2,  # paid replies: a repeated key costs that field alone
    "reading/parsing.py": 2,  # replies of models: both values of a repeated key are kept
    "agents/walking/notes.py": 1,  # an offline agent's notes: decoded from within a text
}
"""Modules that call Python's reader of JSON themselves, how often, and why."""


def test_json_from_outside_is_read_by_the_strict_readers_only() -> None:
    found = {}
    for root in (Path(mirror_ray.__file__).parent, Path(mirror_ray.analysis.__file__).parent):
        for path in sorted(root.rglob("*.py")):
            if calls := _direct_reads(ast.parse(path.read_text())):
                found[path.relative_to(root).as_posix()] = calls
    assert found == _DIRECT


def _direct_reads(tree: ast.Module) -> int:
    """How often a module reads JSON by Python's, pydantic's or aiohttp's means."""
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "json":
            count += sum(name.name in ("loads", "load", "JSONDecoder") for name in node.names)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of, name = ast.unparse(node.func.value), node.func.attr
            count += of == "json" and name in ("loads", "load", "JSONDecoder")
            count += name in ("model_validate_json", "validate_json")
            count += name == "json" and not any(one.arg == "loads" for one in node.keywords)
    return count
