"""What `make test` leaves out names what is played in its place, and that is played."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
NAMED = re.compile(r"[\w/]+\.py|[\w/]+/(?=[\s,]|$)")


def reasons(node: ast.AST) -> Iterator[str]:
    """Of the marks anywhere in a node."""
    for call in ast.walk(node):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "thorough"
            and isinstance(call.args[0], ast.Constant)
        ):
            yield str(call.args[0].value)


def is_played(file: Path) -> bool:
    """Whether `make test` plays any test of a module."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    marks = [node for node in body if isinstance(node, ast.Assign)]
    if any("pytestmark" in ast.unparse(one.targets[0]) and any(reasons(one)) for one in marks):
        return False
    tests = [one for one in body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return any(
        one.name.startswith("test_") and not any(map(any, map(reasons, one.decorator_list)))
        for one in tests
    )


def test_what_is_named_in_its_place_is_played() -> None:
    found, wrong = 0, []
    for file in sorted(TESTS.rglob("test_*.py")):
        for instead in reasons(ast.parse(file.read_text(encoding="utf-8"))):
            found += 1
            folder = None
            for name in NAMED.findall(instead):
                places = [TESTS / name, *([folder / name] if folder else [])]
                place = next((one for one in places if one.exists()), None)
                files = [] if place is None else [place, *place.rglob("test_*.py")]
                if not any(one.is_file() and is_played(one) for one in files):
                    wrong.append(f"{file.name}: {name}")
                folder = place.parent if place else None
    assert found > 50
    assert wrong == []
