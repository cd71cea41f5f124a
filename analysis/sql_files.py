"""The files of `sql`: each becomes a view or a macro.

A file of `sql/<number>_<layer>/` is one bare select and becomes `<layer>.<file name>`; in `0_macro`
its second line names the macro and its parameters, which for a table macro are names of relations.
A file `<name>.csv` next to a view has what a publication prints, as the table macro
`macro.<name>()`: the first line names the columns, and an empty field is NULL."""

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from mirror_ray.analysis.family_sql import of_all_families, of_family, unions
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import FAMILIES_PACKAGE, FAMILY_NAMES
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Plugin, as_plugin, installed

_WHOLE = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?\d+\.\d+")
_DEFAULT = re.compile(r"\bcoalesce\(\s*getvariable\('(\w+)'\),\s*([^()]*?)\s*\)")
_VARIABLE = re.compile(r"\bgetvariable\('(\w+)'\)")
_VIEW = re.compile(r"\b(\w+\.\w+)\b")


@cache
def sql_files() -> tuple[SqlFile, ...]:
    """Return every file of every layer, lower layers first, including those of plug-ins. Raise
    PluginError if a plug-in's file is in no layer, or is not named after its family."""
    return of_all_families(_files())


def unions_of(families: Iterable[str]) -> tuple[SqlFile, ...]:
    """Write out the union views for these families alone, for a run that has no rows of others.

    In a small run, planning a query takes longer than running it, and an unrestricted union is
    planned for every family."""
    return unions(_files(), (file.view for file in sql_files()), families)


def files_of(families: Collection[str]) -> list[SqlFile]:
    """Return the files of these families, those of no family, and those of others that they
    read."""
    every = {file.view: file for file in (*sql_files(), *unions_of(families))}
    absent = METRICS.keys() - set(families)
    own = [view for view, file in every.items() if file.family not in absent]
    texts = read_with(own, {view: file.text for view, file in every.items()})
    return [file for view, file in every.items() if view in texts]


def layer_folders() -> frozenset[str]:
    """Return the folders of SQL files, ``<n>_<layer>`` each."""
    return frozenset(folder for _, folder in _own())


def files_of_plugin(plugin: Plugin, folders: Collection[str]) -> list[SqlFile]:
    """Return the SQL files of a plug-in's family. Raise PluginError if its package cannot be
    imported, or a file has an invalid name."""
    with as_plugin(plugin.words, plugin.package):
        root = files(plugin.module) / "sql"
        found = [*_files_in(root, f"{plugin.module}/sql")] if root.is_dir() else []
    for file, folder in found:
        if folder not in folders or file.family != plugin.name or "{" in file.name:
            raise PluginError(
                f"{plugin.words}: {file.path}",
                file.path,
                f"sql/<layer>/{plugin.name}.sql or {plugin.name}_….sql, with a layer of "
                f"{', '.join(sorted(folders))}",
                "rename the file",
            )
    return [file for file, _ in found]


@cache
def _files() -> tuple[SqlFile, ...]:
    own = _own()
    found = [file for file, _ in own]
    for family in METRICS:
        if family not in FAMILY_NAMES:
            # A plug-in with invalid files gets no views; check-family says why.
            with suppress(PluginError):
                found += files_of_plugin(installed("families")[family], layer_folders())
    number = {folder.partition("_")[2]: folder for _, folder in own}
    return tuple(sorted(found, key=lambda file: number[file.layer]))


@cache
def _own() -> tuple[tuple[SqlFile, str], ...]:
    found = [*_files_in(files("mirror_ray.analysis") / "sql", "analysis/sql")]
    for family in FAMILY_NAMES:
        root = files(f"{FAMILIES_PACKAGE}.{family}") / "sql"
        if root.is_dir():
            found += _files_in(root, f"mirror_ray/families/{family}/sql")
    return tuple(found)


def _files_in(root: Traversable, path: str) -> Iterator[tuple[SqlFile, str]]:
    for folder in sorted((one for one in root.iterdir() if one.is_dir()), key=lambda f: f.name):
        for entry in sorted(folder.iterdir(), key=lambda file: file.name):
            name, _, kind = entry.name.partition(".")
            if kind in ("sql", "csv"):
                text = entry.read_text(encoding="utf-8")
                printed = kind == "csv"
                file = SqlFile(
                    path=f"{path}/{folder.name}/{entry.name}",
                    layer="macro" if printed else folder.name.partition("_")[2],
                    name=name,
                    text=printed_table(name, text) if printed else text,
                )
                yield file, folder.name


def stages_of(family: str) -> tuple[SqlFile, ...]:
    """Return the layer `stage` for a family that has no files."""
    own = (file for file, _ in _files_in(files("mirror_ray.analysis") / "sql", "analysis/sql"))
    return tuple(one for file in own if (one := of_family(file, family)) and one.layer == "stage")


def read_with(views: Iterable[str], every: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return, by name, the texts of these views and of all views and macros that they read. `every`
    has all texts by name; None: those of all files."""
    every = every or {file.view: file.text for file in sql_files()}
    texts: dict[str, str] = {}
    unread = set(views)
    while unread:
        view = unread.pop()
        texts[view] = every[view]
        unread |= {one for one in _VIEW.findall(every[view]) if one in every and one not in texts}
    return texts


@cache
def variable_names() -> tuple[str, ...]:
    """Return the parameters that the views read, sorted."""
    return variables_of(file.text for file in sql_files())


def variables_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters that these queries read, sorted."""
    return tuple(sorted({name for text in texts for name in _VARIABLE.findall(text)}))


def default_values() -> Mapping[str, str]:
    """Return each parameter's default in the views, as SQL; "none" if it has no default."""
    found = dict(match for file in sql_files() for match in _DEFAULT.findall(file.text))
    return {name: found.get(name, "none") for name in variable_names()}


def printed_table(name: str, text: str) -> str:
    """Write the SQL file for the rows of a CSV file. Raise ValueError if a row has more or fewer
    fields than the first line."""
    columns, *rows = csv.reader(text.splitlines())
    values = (f"        ({', '.join(map(_value, row))})" for row in rows)
    grain = ", ".join(columns[: _n_keys(columns, rows)])
    lines = [
        f"-- grain: one row per {grain}",
        f"-- table macro: {name}()",
        "select *",
        "from (",
        "    values",
        ",\n".join(values),
        ") as of_table (",
        ",\n".join(f"    {column}" for column in columns),
        ")",
    ]
    return "\n".join([*lines, ""])


def _n_keys(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    if any(len(row) != len(columns) for row in rows):
        raise ValueError(f"every row has the fields {', '.join(columns)}")
    every = range(1, len(columns) + 1)
    return next((n for n in every if len({tuple(row[:n]) for row in rows}) == len(rows)), every[-1])


def _value(field: str) -> str:
    if not field:
        return "null"
    if _NUMBER.fullmatch(field):
        return f"{field}e0"
    return field if _WHOLE.fullmatch(field) else literal(field)
