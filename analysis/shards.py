"""Which shards can exist: families and kinds, where their files are, and their columns."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from mirror_ray.analysis.intervals import DIFFERENCES, INTERVALS
from mirror_ray.contract.columns import COLUMNS
from mirror_ray.records.decisions import DECISIONS
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

_KINDS: Mapping[str, tuple[str, pa.Schema]] = {
    "steps": ("steps/family={family}/**/*.parquet", STEPS),
    "episodes": ("episodes/family={family}/**/*.parquet", EPISODES),
    "intervals": ("intervals/{family}.parquet", INTERVALS),
    "differences": ("intervals/{family}_differences.parquet", DIFFERENCES),
    "decisions": ("decisions/{family}.parquet", DECISIONS),
}
_TYPES = {
    pa.string(): "varchar",
    pa.int32(): "integer",
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.bool_(): "boolean",
}
_OF_A_FAMILY = re.compile(r"(?:steps|episodes)/family=([a-z][a-z0-9]{1,39})/")
_MENTION = re.compile(r"\bshard\.(\w+)_(steps|episodes|intervals|differences|decisions)\b")


@dataclass(frozen=True, slots=True, order=True)
class Shards:
    """All files of one kind of one family."""

    family: str
    kind: str

    @property
    def name(self) -> str:
        """The relation's name within the schema `shard`."""
        return f"{self.family}_{self.kind}"

    @property
    def pattern(self) -> str:
        """A pattern for the files, relative to the run directory."""
        return _KINDS[self.kind][0].format(family=self.family)

    @property
    def files(self) -> str:
        """The variable that lists the files on disk to be read."""
        return f"files_{self.name}"

    def among(self, paths: Iterable[str]) -> list[str]:
        """Return which of the Parquet files, named relative to the run directory, are of this kind
        and family."""
        folder, starred, _ = self.pattern.partition("**")
        return [path for path in paths if (path.startswith(folder) if starred else path == folder)]

    @property
    def columns(self) -> pa.Schema:
        """The columns of the rows: the common ones, then the family's."""
        return with_family_columns(_KINDS[self.kind][1], self._own_columns)

    @property
    def nothing(self) -> str:
        """The query for a run without such a file: all columns, no row."""
        return _no_row(self.columns)

    @property
    def completed(self) -> str:
        """Return the SQL to append to a query over files, so that columns they lack become NULL."""
        return f" union all by name {_no_row(own)}" if (own := self._own_columns) else ""

    @property
    def _own_columns(self) -> pa.Schema:
        family = COLUMNS.get(self.family)
        if family is None or self.kind not in ("steps", "episodes"):
            return pa.schema([])
        return family.steps if self.kind == "steps" else family.episodes


@dataclass(frozen=True, slots=True)
class ShardFile:
    """A file on disk, and its number of rows."""

    shards: Shards
    path: str
    n_rows: int


def mentioned_shards(texts: Iterable[str]) -> tuple[Shards, ...]:
    """Return the shards that any of the queries reads, sorted."""
    found = {Shards(match[1], match[2]) for text in texts for match in _MENTION.finditer(text)}
    return tuple(sorted(found))


def unknown_shards(paths: Iterable[str], known: Iterable[Shards]) -> tuple[Shards, ...]:
    """Return the steps and episodes of families that no known shard belongs to, sorted. `paths` are
    Parquet files, relative to the run directory; those without a family's name are ignored."""
    families = {each.family for each in known}
    found = {match[1] for path in paths if (match := _OF_A_FAMILY.match(path))} - families
    return tuple(Shards(name, kind) for name in sorted(found) for kind in ("episodes", "steps"))


def _no_row(columns: pa.Schema) -> str:
    nulls = (f"null::{_sql_type(column.type)} as {column.name}" for column in columns)
    return f"select {', '.join(nulls)} where false"


def _sql_type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"{_sql_type(kind.value_type)}[]"
    if pa.types.is_struct(kind):
        parts = ", ".join(f"{part.name} {_sql_type(part.type)}" for part in kind)
        return f"struct({parts})"
    return _TYPES[kind]
