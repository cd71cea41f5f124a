"""A docstring documents parameters that exist, each once: a function's, or a class's fields."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ARGS = re.compile(r"^( *)Args:\n((?:\1 +.*\n|\n)+)", re.MULTILINE)
_NAMES = re.compile(r"^([*\w]+(?:, [*\w]+)*):", re.MULTILINE)
_MORE = re.compile(r"[;.] `([a-z]\w*)`: ")


def documented(doc: str) -> list[str]:
    """The names below ``Args:``."""
    found = _ARGS.search(f"{doc}\n")
    if found is None:
        return []
    lines = found[2].splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    first = "\n".join(line[indent:] for line in lines if line[indent : indent + 1].strip())
    names = [name.strip("*") for listed in _NAMES.findall(first) for name in listed.split(", ")]
    return [*names, *_MORE.findall(found[2])]


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return {one.arg for one in every if one is not None}


def fields_of(node: ast.ClassDef) -> set[str]:
    """Annotated fields, those of ``__init__``, and what properties give."""
    found = set()
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            found.add(one.target.id)
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found |= parameters(one) if one.name in ("__init__", "__new__") else {one.name}
    return found


def undocumentable() -> Iterator[str]:
    for folder in ("mirror_ray", "analysis", "sim_assets"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if (ROOT / folder / "analysis") in file.parents and folder == "mirror_ray":
                continue
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    there = parameters(node)
                elif isinstance(node, ast.ClassDef) and not node.bases:
                    there = fields_of(node)
                else:
                    continue
                names = documented(ast.get_docstring(node) or "")
                for name in names:
                    if name not in there or names.count(name) > 1:
                        yield f"{file.relative_to(ROOT)}:{node.lineno} {node.name}: {name}"


def test_documented_parameters_exist() -> None:
    assert list(undocumentable()) == []


def test_one_that_does_not_is_found() -> None:
    doc = """It does.

Args:
    a, b: two; `d`: too.
    c: of
        several: lines.

Returns:
    e: no.
"""
    assert documented(doc) == ["a", "b", "c", "d"]
