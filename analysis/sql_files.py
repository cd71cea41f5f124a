"""The files of `sql`: each becomes a view or a macro.

A file of `sql/<number>_<layer>/` is one bare select and becomes `<layer>.<file name>`; in `0_macro`
its second line names the macro and its parameters: a table macro's are names of relations.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from mirror_ray.analysis.family_sql import of_all_families
from mirror_ray.analysis.sql_file import SqlFile

__all__ = ["SqlFile", "default_values", "sql_files", "variable_names"]

_DEFAULT = re.compile(r"\bcoalesce\(\s*getvariable\('(\w+)'\),\s*([^()]*?)\s*\)")
_VARIABLE = re.compile(r"\bgetvariable\('(\w+)'\)")


@cache
def sql_files() -> tuple[SqlFile, ...]:
    """Every file of every layer, lower layers first."""
    root = files("mirror_ray.analysis") / "sql"
    folders = sorted((entry for entry in root.iterdir() if entry.is_dir()), key=lambda f: f.name)
    return of_all_families(
        SqlFile(
            path=f"analysis/sql/{folder.name}/{entry.name}",
            layer=folder.name.split("_", 1)[1],
            name=entry.name.removesuffix(".sql"),
            text=entry.read_text(encoding="utf-8"),
        )
        for folder in folders
        for entry in sorted(folder.iterdir(), key=lambda file: file.name)
        if entry.name.endswith(".sql")
    )


@cache
def variable_names() -> tuple[str, ...]:
    """The parameters that the views read, sorted."""
    return tuple(sorted({name for file in sql_files() for name in _VARIABLE.findall(file.text)}))


def default_values() -> Mapping[str, str]:
    """Parameter → what the views take where it is not set, as SQL; "none" where that is nothing."""
    found = dict(match for file in sql_files() for match in _DEFAULT.findall(file.text))
    return {name: found.get(name, "none") for name in variable_names()}
