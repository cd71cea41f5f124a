"""A family's prompts: texts with named slots, one YAML file per protocol or language.

The files are in the folder ``prompts`` of the family's package. A sweep may replace texts by those
of a prompt set (`mirror_ray.sweep.prompt_sets`), which its cells carry."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from mirror_ray.contract.packages import package_of
from mirror_ray.core.identity import Cell
from mirror_ray.core.plain_yaml import read_yaml

PROMPTS = "prompts"
"""The key of a stage that names prompt sets, and the name of the folder."""
OWN_SET = "default"

_SLOT = re.compile(r"\{([a-z][a-z0-9_]{0,39})\}")


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The texts of a prompt set, each under ``file.key``."""

    by_key: Mapping[str, str]

    def __call__(self, key: str, /, **values: object) -> str:
        """Return a text with its slots filled; braces in values are kept as they are."""
        return filled(self.by_key[key], **values)

    def under(self, prefix: str) -> dict[str, str]:
        """Return the texts whose keys begin with ``prefix.``, by the rest of the key."""
        begin = f"{prefix}."
        return {
            key.removeprefix(begin): text
            for key, text in self.by_key.items()
            if key.startswith(begin)
        }


def filled(text: str, /, **values: object) -> str:
    """Return a text with its slots filled; braces in values are kept as they are."""
    return _SLOT.sub(lambda slot: str(values[slot[1]]), text)


def slots_of(text: str) -> frozenset[str]:
    """Return the names of a text's slots."""
    return frozenset(_SLOT.findall(text))


def flattened(data: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield each leaf of nested mappings as (dotted key, value)."""
    if not isinstance(data, Mapping):
        yield path, data
        return
    for key, value in data.items():
        yield from flattened(value, f"{path}.{key}" if path else str(key))


@lru_cache(maxsize=64)
def default_texts(family: str) -> Texts:
    """Return a family's own texts; empty if its package has no prompt files."""
    folder = files(package_of(family)) / PROMPTS
    found: dict[str, str] = {}
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda one: one.name):
            if file.name.endswith(".yaml"):
                data = {file.name.removesuffix(".yaml"): read_yaml(file.read_text("utf-8"))}
                found |= {key: str(text) for key, text in flattened(data)}
    return Texts(MappingProxyType(found))


def texts_of(cell: Cell) -> Texts:
    """Return the texts that a cell's episodes send. Raise ValueError if the cell names a prompt set
    but does not carry its texts."""
    own = default_texts(cell.family)
    if cell.prompts:
        return Texts({**own.by_key, **cell.prompts})
    if dict(cell.axes).get(PROMPTS, OWN_SET) != OWN_SET:
        raise ValueError(f"{cell.variant_label}: the texts of this prompt set are missing")
    return own
