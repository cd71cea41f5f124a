"""Reads texts out of the Python files of a published experiment, without running them.

A family with published prompts has a module `published_prompts` with ``SOURCE``, the repository,
and ``published(checkout)``, which returns texts by key."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mirror_ray.core.bounded_files import MOST_CONFIG_BYTES, read_bounded, text_of
from mirror_ray.core.errors import UnfitError

_FIX = "name a checkout of the authors' repository"


@dataclass(frozen=True, slots=True)
class PythonFile:
    """A parsed source file. Errors name its `path`, relative to the checkout."""

    path: str
    tree: ast.Module

    def constant(self, name: str) -> object:
        """Return the literal assigned to a name of the module, or of a class. Raise UnfitError if
        there is none."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == name for target in node.targets
            ):
                try:
                    return ast.literal_eval(node.value)
                except ValueError:
                    break
        raise self._unfit(f"no constant {name}")

    def text(self, name: str) -> str:
        """Return the text assigned to a name. Raise UnfitError if it is missing."""
        value = self.constant(name)
        if not isinstance(value, str):
            raise self._unfit(f"{name}, which is not a text")
        return value

    def returned(self, function: str, slots: Mapping[str, str]) -> Iterator[str]:
        """Yield the texts that a function or method returns, in the order of its lines.

        Args:
            function: its name, or ``Class.method``.
            slots: an expression of the source → what replaces it.

        Raises:
            UnfitError: the function is missing, or a text has an expression not among `slots`.
        """
        for node in ast.walk(self._function(function)):
            if isinstance(node, ast.Return) and node.value is not None:
                yield self._template(node.value, slots)

    def template(self, function: str, beginning: str, slots: Mapping[str, str]) -> str:
        """Return the function's first f-string with this beginning. Raise UnfitError as `returned`
        does."""
        for node in ast.walk(self._function(function)):
            if isinstance(node, ast.JoinedStr) and ast.unparse(node)[2:].startswith(beginning):
                return self._template(node, slots)
        raise self._unfit(f"no text that begins with {beginning}")

    def texts_in(self, function: str) -> Iterator[str]:
        """Yield every literal text in a function. Raise UnfitError if the function is missing."""
        for node in ast.walk(self._function(function)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value

    def _function(self, name: str) -> ast.AST:
        found: ast.AST = self.tree
        for part in name.split("."):
            inner = ast.iter_child_nodes(found)
            named = [
                one
                for one in inner
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                and one.name == part
            ]
            if not named:
                raise self._unfit(f"no {name}")
            found = named[0]
        return found

    def _template(self, node: ast.expr, slots: Mapping[str, str]) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.JoinedStr):
            return "".join(self._template(part, slots) for part in node.values)
        expression = ast.unparse(node.value if isinstance(node, ast.FormattedValue) else node)
        if expression not in slots:
            raise self._unfit(f"the expression {expression[:60]}")
        return slots[expression]

    def _unfit(self, got: str) -> UnfitError:
        return UnfitError(f"{self.path}: {got}", "the published source", _FIX)


def text_file(checkout: Path, path: str) -> str:
    """Read a file of a checkout. Raise UnfitError if that fails."""
    try:
        return text_of(read_bounded(checkout / path, MOST_CONFIG_BYTES))
    except UnfitError as error:
        raise UnfitError(f"{path}: {error.got}", error.allowed, _FIX) from error


def python_file(checkout: Path, path: str) -> PythonFile:
    """Parse a file of a checkout. Raise UnfitError if it is unreadable, or not Python."""
    try:
        return PythonFile(path, ast.parse(text_file(checkout, path)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UnfitError(f"{path}: {type(error).__name__}", "a Python file", _FIX) from error
