"""What sets a condition apart is read by its family: a flag that nobody reads would play, silently,
as the condition without it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FAMILIES = Path(__file__).parents[2] / "mirror_ray" / "families"
FOR_PEOPLE = {"meaning"}
WITH_FLAGS = sorted(
    file.parent.name
    for file in FAMILIES.glob("*/*.py")
    if "\nclass Condition" in file.read_text(encoding="utf-8")
)


def _flags(tree: ast.AST) -> Iterator[str]:
    """The fields of what a condition is made of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == "Condition":
            for line in node.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                    yield line.target.id


def _read(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr


def _unread(texts: list[str]) -> set[str]:
    trees = [ast.parse(text) for text in texts]
    read = {attribute for tree in trees for attribute in _read(tree)}
    return {flag for tree in trees for flag in _flags(tree)} - read - FOR_PEOPLE


@pytest.mark.parametrize("family", WITH_FLAGS)
def test_every_flag_of_a_condition_is_read(family: str) -> None:
    files = sorted((FAMILIES / family).rglob("*.py"))
    assert _unread([file.read_text(encoding="utf-8") for file in files]) == set()


def test_a_flag_that_nobody_reads_is_found() -> None:
    made = "class Condition:\n    meaning: str\n    lie: bool = False\n    second: bool = False\n"
    assert _unread([made, "if condition.lie:\n    pass\n"]) == {"second"}
    assert {"selfid", "contingency"} <= set(WITH_FLAGS)
