"""One file of `sql`: it becomes a view or a macro."""

import re
from dataclasses import dataclass

_MACRO_LINE = re.compile(r"^-- (table )?macro: (\w+)(\(.*\))$", re.MULTILINE)


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
        """The relation that the file becomes."""
        return f"{self.layer}.{self.name}"

    @property
    def family(self) -> str:
        """The first word of its name, which is a family's if the file belongs to one."""
        return self.name.split("_")[0]

    def definition(self, *, deferred: bool = False) -> str:
        """Return the statement that creates the view or macro.

        Args:
            deferred: what a view reads is looked up when it is queried, not now; DuckDB supports
                this from 2.0 on.

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
        # A bare expression may also enclose aggregates; as a subquery the macro would silently
        # aggregate over its own single row.
        comments, expression = re.split(r"^select\b", body, maxsplit=1, flags=re.MULTILINE)
        return f"{comments}{create}{expression};"
