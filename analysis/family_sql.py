"""Writes out the SQL files that all families share, once for each family.

A file whose name begins with ``each_family`` becomes a view of every family that has no file of
that name. A file with any other name that reads ``<layer>.{family}…`` is one branch of a union: it
is repeated for each family that has such a view. In both, and in a family's own files, words in
braces are replaced by facts of the family's metrics in the catalogue; ``{identity}`` is replaced by
the columns that every family's ``episode`` view begins with. In every file ``{cell}`` and
``{described}`` are replaced by the columns that identify a cell, or a model with its
description."""

import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from textwrap import wrap

from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.contract.metrics import METRICS, FamilyMetrics, Metric

_EACH = "each_family"
_READ = re.compile(r"\b(\w+)\.\{family\}(\w*)")
_HEAD = re.compile(r"(?:--[^\n]*\n)*")
_BRACED = re.compile(r"\{([a-z_]+)\}")
_KNOWN_WITHOUT = frozenset({"family"})
_LONGEST = 52
_COLUMNS = {
    "cell": "family, condition, model, temperature, variant",
    "described": "family, model, temperature, setting",
}
"""The columns that identify a cell, and those that describe a model over conditions."""
_IDENTITY = (
    *("sweep", "family", "condition", "model", "cell_id", "episode_id", "scene_seed", "run"),
    *("cluster", "temperature", "variant", "take"),
)


def of_all_families(files: Iterable[SqlFile]) -> tuple[SqlFile, ...]:
    """Return the files with those of all families written out, by layer and name, unions last.
    Raise ValueError if a file has an unknown word in braces."""
    files = tuple(files)
    own = {file.view for file in files}
    made: list[SqlFile] = []
    for file in files:
        if file.name.startswith(_EACH):
            each = (of_family(file, family) for family in METRICS)
            made += (one for one in each if one and one.view not in own)
        elif "{family}" not in file.text:
            made.append(_filled(file, file.family))
    layers = {layer: at for at, layer in enumerate(dict.fromkeys(file.layer for file in files))}
    united = unions(files, {one.view for one in made}, METRICS)
    names = {file.view for file in united}
    made += united
    made.sort(
        key=lambda file: (
            layers[file.layer],
            # Views of estimates join these, and DuckDB looks names up at creation.
            not file.name.endswith("_read"),
            file.name != "replies",
            file.view in names,
            file.name,
        )
    )
    return tuple(made)


def unions(
    files: Iterable[SqlFile], views: Iterable[str], families: Iterable[str]
) -> tuple[SqlFile, ...]:
    """Return the union files, written out for these families alone.

    Without rows of other families, the views give the same result. A view has at least one branch,
    and so always has its columns.

    Args:
        views: the names of all views that a union may read.
    """
    united = [file for file in files if "{family}" in file.text and not file.name.startswith(_EACH)]
    there = {*views, *(file.view for file in united)}
    written = (_union(file, there, set(families)) for file in united)
    return tuple(file for file in written if file is not None)


def of_family(file: SqlFile, family: str) -> SqlFile | None:
    """Write a file out for a family, with or without a catalogue. Return None for a file of another
    kind."""
    if not file.name.startswith(_EACH):
        return None
    if family not in METRICS and not set(_BRACED.findall(file.text)) <= _KNOWN_WITHOUT:
        return None
    name = f"{family}{file.name.removeprefix(_EACH)}"
    return _filled(replace(file, name=name), family)


def _union(file: SqlFile, views: Set[str], families: Set[str]) -> SqlFile | None:
    """Return one branch for each family that has everything it reads; None if no family has."""
    head = _HEAD.match(file.text)
    start = head.end() if head else 0
    comments, branch = file.text[:start], file.text[start:].rstrip()
    read = _READ.findall(branch)
    able = [
        family
        for family in METRICS
        if all(layer == "shard" or f"{layer}.{family}{rest}" in views for layer, rest in read)
    ]
    if not able:
        return None
    # A view that reads no rows gives the same for every run.
    chosen = [family for family in able if family in families or not read] or able[:1]
    branches = [_filled(replace(file, text=branch), family).text for family in chosen]
    united = "\nunion all by name\n".join(branches)
    return replace(file, text=f"{comments}{united}\n")


def _filled(file: SqlFile, family: str) -> SqlFile:
    text = file.text

    def written(found: re.Match[str]) -> str:
        word = found[1]
        if word == "family":
            return family
        if word in _COLUMNS:
            return _COLUMNS[word]
        if family not in METRICS or word not in _WORDS:
            raise ValueError(f"{file.path}: {{{word}}} means nothing for {family}")
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        indent = " " * (len(line) - len(line.lstrip(" ")))
        return f"\n{indent}".join(_WORDS[word](METRICS[family]).splitlines())

    return replace(file, text=_BRACED.sub(written, text))


def _names(metrics: Iterable[Metric]) -> str:
    return _listed(metric.name for metric in metrics)


def _listed(words: Iterable[str]) -> str:
    return "\n".join(wrap(", ".join(words), _LONGEST, break_long_words=False))


def _case(values: Mapping[str, str], otherwise: str) -> str:
    names: dict[str, list[str]] = {}
    for name, value in values.items():
        names.setdefault(value, []).append(literal(name))
    if not names:
        return otherwise
    branches = (
        f"    when metric in {_bracketed(some)} then {value}" for value, some in names.items()
    )
    return "\n".join(["case", *branches, f"    else {otherwise}", "end"])


def _bracketed(words: Iterable[str]) -> str:
    listed = _listed(words)
    if "\n" not in listed:
        return f"({listed})"
    lines = listed.replace("\n", "\n        ")
    return f"(\n        {lines}\n    )"


def _entry(metric: Metric) -> str:
    shown: Mapping[str, str] = {
        "metric": literal(metric.name),
        "label": literal(metric.heading),
        "kind": literal(metric.kind),
        "low": f"{metric.low:g}::double",
        "high": "null::double" if metric.high is None else f"{metric.high:g}::double",
        "direction": "null" if metric.direction is None else str(metric.direction),
        "chance": literal(metric.chance) if metric.chance else "null",
        "is_score": str(metric.is_score).lower(),
        "is_compared": str(metric.is_score and metric.is_compared).lower(),
        "is_shown": str(metric.is_shown).lower(),
        "needs_mirror": str(metric.needs_mirror).lower(),
        "meaning": _long(metric.meaning),
    }
    return "{\n" + ",\n".join(f"    '{key}': {value}" for key, value in shown.items()) + "\n}"


def _long(text: str) -> str:
    parts = wrap(text, _LONGEST, drop_whitespace=False) or [""]
    return "\n    || ".join(map(literal, parts))


_WORDS: Mapping[str, Callable[[FamilyMetrics], str]] = {
    "identity": lambda _: _listed(_IDENTITY),
    "scores": lambda of: _names(of.scores),
    "compared": lambda of: _names(of.compared),
    "leading": lambda of: of.leading,
    "compared_on": lambda of: of.compared_on,
    "holds": lambda of: of.holds,
    "unit": lambda of: literal(of.unit),
    "kind": lambda of: _case(
        {one.name: literal(one.kind) for one in of.scores if one.kind != "share"}, "'share'"
    ),
    "direction": lambda of: _case(
        {
            one.name: "null" if one.direction is None else str(one.direction)
            for one in of.scores
            if one.direction != 1
        },
        "1",
    ),
    "chance": lambda of: _case(
        {one.name: one.chance for one in of.scores if one.chance}, "null::double"
    ),
    "catalogue": lambda of: ",\n".join(map(_entry, of.metrics)),
}
