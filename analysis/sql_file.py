"""One file of `sql`: it becomes a view or a macro."""

import re
from dataclasses import dataclass

from mirror_ray.contract.metrics import METRICS

_MACRO_LINE = re.compile(r"^-- (table )?macro: (\w+)(\(.*\))$", re.MULTILINE)
_GRAIN = re.compile(r"-- grain: one row per (.+)")
_GRAIN_KEYS = re.compile(r"\b\w++(?=,|$)")
_REPLIES_LINE = re.compile(r"^-- replies: (.+)$", re.MULTILINE)
_KEYS = ("condition", "temperature", "variant", "setting", "model")
_COUNTS = "n_replies", "n_read"
KNOWN_UNREAD = (
    *("chance", "chance_reference", "followed_chance", "stayed_chance", "right_share"),
    *("reference", "low_if_unread", "high_if_unread", *_COUNTS),
)
"""Columns that are known even if no reply was read."""
_COUNTED = """\
select
    columns([name for name in (*) if name in {keys}]),
    macro.unless_unread(columns([name for name in (*) if name not in {others}]), n_read),
    columns([name for name in (*) if name in {kept}])
from (
    select
        shown.*,
        replies.n_replies,
        replies.n_read
    from ({place}
{body}
    ) as shown
    left join (
        select {own}sum(n_replies)::bigint as n_replies, sum(n_read)::bigint as n_read
        from metric.{source}{where}
        group by all
    ) as replies on {on}
){order}"""


@dataclass(frozen=True, slots=True)
class SqlFile:
    """One file of a layer. `path` is relative to the package; `text` is comments and a bare
    select."""

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
        """The first word of the file's name: a family, if the file belongs to one."""
        return self.name.split("_")[0]

    @property
    def replies(self) -> tuple[tuple[tuple[str, str], ...], str] | None:
        """The replies that each row rests on, or None if unknown.

        By default they are those of the row's condition, temperature, variant and model, as far as
        the view's grain has them. Lines ``-- replies: KEY; A = B where C`` state other ones: A is
        an expression over the row, B and C are over the rows of ``metric.<family>_read``.

        Returns:
            Pairs of expressions that are equal, and the condition.
        """
        grain = _GRAIN.match(self.text)
        keys = grain[1].split(", ") if grain else []
        own = tuple((key, key) for key in _KEYS if key in keys)
        said, _, where = f"{'; '.join(_REPLIES_LINE.findall(self.text))} ".partition("where ")
        if said.strip():
            sides = (each.split(" = ", 1) for each in said.strip().split("; "))
            return tuple((side[0], side[-1]) for side in sides), where.strip()
        is_counted = "model" in keys and "episode_id" not in keys and self.family in METRICS
        if where or (is_counted and _COUNTS[0] not in self.text):
            return own, where.strip()
        return None

    def _with_replies(self, body: str) -> str:
        if (counted := self.replies) is None:
            return body
        pairs, where = counted
        is_ordered = "\norder by " in body
        names = [f"key_{place}" for place in range(len(pairs))]
        on = [
            f"({one}) is not distinct from replies.{name}"
            for name, (one, _) in zip(names, pairs, strict=True)
        ]
        keys = _GRAIN_KEYS.findall(self.text.partition("\n")[0])
        return _COUNTED.format(
            keys=tuple(keys),
            others=(*keys, *KNOWN_UNREAD, "place_of_row"),
            kept=KNOWN_UNREAD,
            place="select *, row_number() over () as place_of_row from (" if is_ordered else "",
            body=f"{body}\n)" if is_ordered else body,
            own="".join(
                f"{other} as {name}, " for name, (_, other) in zip(names, pairs, strict=True)
            ),
            source=f"{self.family}_read" if self.family in METRICS else "replies",
            where=f"\n    where {where}" if where else "",
            on=" and ".join(on) or "true",
            order="\norder by place_of_row" if is_ordered else "",
        )

    def definition(self, *, deferred: bool = False) -> str:
        """Return the statement that creates the view or macro. Raise ValueError if a macro's file
        does not name it. With `deferred`, DuckDB (from 2.0) resolves what a view reads only when it
        is queried."""
        body = self.text.strip()
        if self.layer != "macro":
            body = self._with_replies(body)
            options = " with (defer_binding)" if deferred else ""
            return f"create or replace view {self.view}{options} as\n{body};"
        declared = _MACRO_LINE.search(body)
        if declared is None or declared[2] != self.name:
            raise ValueError(f"{self.path}: no line `-- macro: {self.name}(…)`")
        create = f"create or replace macro macro.{self.name}{declared[3]} as"
        if declared[1]:
            return f"{create} table\n{body};"
        # A bare expression may contain aggregates; as a subquery, the macro would silently
        # aggregate over its own single row.
        comments, expression = re.split(r"^select\b", body, maxsplit=1, flags=re.MULTILINE)
        return f"{comments}{create}{expression};"
