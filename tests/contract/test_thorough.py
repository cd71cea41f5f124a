"""What `make test` leaves out names what is played in its place, and that is played."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
NAMED = re.compile(r"[\w/]+\.py|[\w/]+/(?=[\s,]|$)")


def reason(node: ast.AST) -> str | None:
    """Of a mark."""
    is_mark = (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "thorough"
        and isinstance(node.args[0], ast.Constant)
    )
    return str(node.args[0].value) if is_mark else None


def reasons(node: ast.AST) -> Iterator[str]:
    """Of the marks anywhere in a node."""
    return (found for one in ast.walk(node) if (found := reason(one)) is not None)


def is_played(file: Path) -> bool:
    """Whether `make test` plays any test of a module."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    marks = [node for node in body if isinstance(node, ast.Assign)]
    if any("pytestmark" in ast.unparse(one.targets[0]) and any(reasons(one)) for one in marks):
        return False
    tests = [one for one in body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    # Of a test that has a mark for one of its cases, the others are played.
    return any(
        one.name.startswith("test_") and not any(map(reason, one.decorator_list)) for one in tests
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
