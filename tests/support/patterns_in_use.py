"""Every regular expression that the project compiles, found in its modules."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDERS = {"mirror_ray": "mirror_ray", "analysis": "mirror_ray.analysis"}
"""Where modules lie → the package they are imported from."""

_METHODS = {"match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split"}
_BUILT: dict[str, Callable[[Any], list[str]]] = {
    "mirror_ray.providers.classify": lambda module: [words for _, words in module._WORDINGS],
    "mirror_ray.providers.fault": lambda module: list(module._WORDS.values()),
    "mirror_ray.providers.image_tokens": lambda module: [rule.names for rule in module._RULES],
    "mirror_ray.providers.probe": lambda module: ["|".join(module._COLOURS)],
}
"""Patterns that are put together or looked up where they are used."""


def sources() -> Iterator[tuple[str, str]]:
    """Every module's name and text."""
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = (package, *path.relative_to(ROOT / folder).with_suffix("").parts)
            yield (
                ".".join(parts[:-1] if parts[-1] == "__init__" else parts),
                path.read_text("utf-8"),
            )


@cache
def modules() -> tuple[str, ...]:
    """Those that may have patterns."""
    imports = re.compile(r"^\s*(?:import re\b|from re import)", re.MULTILINE)
    return tuple(name for name, source in sources() if imports.search(source))


@cache
def patterns_of(name: str) -> dict[tuple[str, int], tuple[re.Pattern[str], bool]]:
    """Pattern and flags → a module's pattern, and whether it is only ever held to a beginning."""
    found: dict[tuple[str, int], tuple[re.Pattern[str], bool]] = {}
    module = import_module(name)
    tree = ast.parse(Path(module.__file__ or "").read_text("utf-8"))
    uses = _uses(tree)
    for variable, value in vars(module).items():
        for pattern in _patterns_in(value):
            if isinstance(pattern.pattern, str):
                anchored = uses.get(variable, {"search"}) <= {"match", "fullmatch"}
                found[pattern.pattern, pattern.flags] = pattern, anchored
    for call, text in _inline(tree):
        if text is None:
            assert name in _BUILT, f"{name}:{call.lineno}: compile it in the module's body"
            continue
        pattern = re.compile(text, _flags(call))
        found[text, pattern.flags] = pattern, _called(call) in ("match", "fullmatch")
    for text in _BUILT.get(name, lambda _: [])(module):
        pattern = re.compile(text, re.IGNORECASE)
        found[text, pattern.flags] = pattern, False
    return found


def _patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _patterns_in(one)
    elif isinstance(value, dict | MappingProxyType):
        for one in value.values():
            yield from _patterns_in(one)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _patterns_in(getattr(value, field.name))


def _uses(tree: ast.AST) -> dict[str, set[str]]:
    """Variable → the methods of patterns that are called on it, or on an entry of it."""
    uses: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            root: ast.AST = node.value
            while isinstance(root, ast.Subscript):
                root = root.value
            if isinstance(root, ast.Name):
                uses[root.id].add(node.attr if node.attr in _METHODS else "search")
        elif isinstance(node, ast.For | ast.comprehension | ast.Tuple | ast.List):
            inner = node.iter if isinstance(node, ast.For | ast.comprehension) else node
            for name in ast.walk(inner):
                if isinstance(name, ast.Name):
                    uses[name.id].add("search")
    return uses


def _inline(tree: ast.AST) -> Iterator[tuple[ast.Call, str | None]]:
    """Calls such as ``re.sub("…", …)``, and the pattern where it is written there."""
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "re"
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _called(node) not in _METHODS:
            continue
        is_of_re = isinstance(node.func, ast.Attribute) and (
            isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
        )
        if is_of_re or (isinstance(node.func, ast.Name) and node.func.id in names):
            first = node.args[0]
            is_text = isinstance(first, ast.Constant) and isinstance(first.value, str)
            yield node, str(first.value) if is_text else None  # type: ignore[attr-defined]


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _flags(call: ast.Call) -> int:
    flags = 0
    for node in (*call.args[2:], *(one.value for one in call.keywords)):
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                flags |= getattr(re, part.attr, 0) if part.value.id == "re" else 0
    return flags
