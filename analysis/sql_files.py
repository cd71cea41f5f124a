"""The files of `sql`: each becomes a view or a macro.

A file of `sql/<number>_<layer>/` is one bare select and becomes `<layer>.<file name>`; in `0_macro`
its second line names the macro and its parameters: a table macro's are names of relations.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_MACRO_LINE = re.compile(r"^-- (table )?macro: (\w+)(\(.*\))$", re.MULTILINE)
_DEFAULT = re.compile(r"\bcoalesce\(\s*getvariable\('(\w+)'\),\s*([^()]*?)\s*\)")
_VARIABLE = re.compile(r"\bgetvariable\('(\w+)'\)")


@dataclass(frozen=True, slots=True)
class SqlFile:
    """One file of a layer: `text` is a bare select under its comments.

    Args:
        path: of the file, below the package.
    """

    path: str
    layer: str
    name: str
    text: str

    @property
    def view(self) -> str:
        """The relation that it becomes."""
        return f"{self.layer}.{self.name}"

    @property
    def family(self) -> str:
        """The family that its name begins with; else another word."""
        return self.name.split("_")[0]

    def definition(self, *, deferred: bool = False) -> str:
        """The statement that puts it into the database.

        Args:
            deferred: what a view reads is looked up when it is asked, not now. DuckDB knows this
                from 2.0 on.

        Raises:
            ValueError: a macro's file does not name it.
        """
        body = self.text.strip()
        if self.layer != "macro":
            options = " with (defer_binding)" if deferred else ""
            return f"create or replace view {self.view}{options} as\n{body};"
        declared = _MACRO_LINE.search(body)
        if declared is None or declared[2] != self.name:
            raise ValueError(f"{self.path}: no line `-- macro: {self.name}(…)`")
        create = f"create or replace macro macro.{self.name}{declared[3]} as"
        if declared[1]:
            return f"{create} table\n{body};"
        # As a bare expression the macro may also stand around aggregates: as a subquery it would
        # silently aggregate over its own single row.
        comments, expression = re.split(r"^select\b", body, maxsplit=1, flags=re.MULTILINE)
        return f"{comments}{create}{expression};"


@cache
def sql_files() -> tuple[SqlFile, ...]:
    """Every file of every layer, lower layers first."""
    root = files("mirror_ray.analysis") / "sql"
    folders = sorted((entry for entry in root.iterdir() if entry.is_dir()), key=lambda f: f.name)
    return tuple(
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
