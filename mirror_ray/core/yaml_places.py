"""Locates the keys and values of a YAML text, for messages that quote it."""

from typing import Any, TypeAlias

import yaml

from mirror_ray.core.plain_yaml import Keys

YamlPosition: TypeAlias = tuple[int, int, int]
"""Line and column, from 0, and the number of characters."""


def places_in(text: str) -> dict[Keys, tuple[YamlPosition, YamlPosition]]:
    """Return the places of the key and the value of each path, in a text that `read_yaml` has read.

    The value of a list's item also counts as its key. What an alias repeats is listed where it is
    written. Empty if the text is too deep to be read to its end."""
    found: dict[Keys, tuple[YamlPosition, YamlPosition]] = {}
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    lines = text.splitlines()
    visited: set[int] = set()

    def place(node: Any) -> YamlPosition:
        start, end = node.start_mark, node.end_mark
        line = lines[start.line] if start.line < len(lines) else ""
        last = end.column if end.line == start.line else len(line)
        return start.line, start.column, max(1, last - start.column)

    def visit(node: Any, path: Keys) -> None:
        if id(node) in visited:
            return
        visited.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                inner = (*path, str(key.value))
                found[inner] = (place(key), place(value))
                visit(value, inner)
        elif isinstance(node, yaml.SequenceNode):
            for i, value in enumerate(node.value):
                inner = (*path, str(i))
                found[inner] = (place(value), place(value))
                visit(value, inner)

    try:
        if (root := yaml.compose(text, Loader=loader)) is not None:
            visit(root, ())
    except (yaml.YAMLError, RecursionError):
        return {}
    return found
