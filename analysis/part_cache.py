"""Keeps the results of a large run's parts, so that the next opening need not compute them.

A shard never changes once it has its name, so neither do the rows derived from it. The rows are
kept in the reader's own cache folder, never in a run directory, which may belong to somebody else.
Each file's name is a hash of everything its rows depend on: the shards' paths, sizes and times, the
texts of views and macros, the parameters that these read, and the versions. Rows that are missing,
damaged or have other columns are computed again."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import copyfile
from uuid import uuid4

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.fs import LocalFileSystem

from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.shard_parts import PART_KINDS, ShardPart
from mirror_ray.analysis.shards import Shards
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import read_with, variables_of
from mirror_ray.core.errors import RunDirError
from mirror_ray.records.checked_parquet import refuse_altered

SWITCH = "MIRROR_RAY_CACHE"
"""`off`: kept results are neither read nor written."""
MOST_BYTES = 2 * 2**30
LEAST_STEPS = 100_000
"""The fewest steps of a part that is kept: smaller parts are computed quickly."""


@dataclass(frozen=True, slots=True)
class KeptRows:
    """The kept rows of one family's parts. The `folder` contains one file per part and table. The
    `basis` is what the rows depend on besides the part's shards."""

    folder: Path
    basis: bytes

    @classmethod
    def of(
        cls, connection: duckdb.DuckDBPyConnection, family: str, sources: Sequence[SqlFile]
    ) -> "KeptRows | None":
        """Return a family's kept rows, or None if no folder can be used or caching is off. The
        connection has the variables that the views read; the views in `sources` are computed by
        parts."""
        if os.environ.get(SWITCH) == "off":
            return None
        try:
            cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
            if not cache.is_absolute():
                cache = Path.home() / ".cache"
            basis = _basis(connection, family, sources)
        except (RuntimeError, PackageNotFoundError):
            return None
        return cls(cache / "mirror-ray" / "scores", basis)

    def take(
        self, part: ShardPart, places: Mapping[str, Path], schemas: Mapping[str, pa.Schema]
    ) -> bool:
        """Put the files of the part's rows in these places, by table, where another process cannot
        remove them; return False if they are not kept, are damaged or have other columns."""
        try:
            for table, path in self._paths(part, places).items():
                _place(path, places[table])
                # The least recently used file is removed first.
                path.touch()
            refuse_altered(LocalFileSystem(), map(str, places.values()))
            return all(
                pq.read_schema(place).equals(schemas[table]) for table, place in places.items()
            )
        except (OSError, pa.ArrowException, RunDirError):
            return False

    def keep(self, part: ShardPart, rows: Mapping[str, Path]) -> None:
        """Keep the files of what the part adds to each table, unless that cannot be done."""
        if part.n_steps < LEAST_STEPS:
            return
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for table, path in self._paths(part, rows).items():
                # Whole or not at all, even if the process is killed.
                unfinished = path.with_name(f"{path.name}.{uuid4().hex}")
                try:
                    _place(rows[table], unfinished)
                    unfinished.replace(path)
                finally:
                    unfinished.unlink(missing_ok=True)

    def make_room(self) -> None:
        """Remove the least recently used files until the rest is within the bound."""
        with suppress(OSError):
            files = [(path.stat(), path) for path in self.folder.iterdir()]
            n_bytes = 0
            for stat, path in sorted(files, key=lambda each: -each[0].st_mtime_ns):
                n_bytes += stat.st_size
                if n_bytes > MOST_BYTES:
                    path.unlink(missing_ok=True)

    def _paths(self, part: ShardPart, tables: Iterable[str]) -> dict[str, Path]:
        """Return where the rows of each table are kept. Raise OSError if a shard is gone."""
        key = sha256(self.basis)
        for kind, files in part.files.items():
            for file in files:
                said = Path(file.path).stat()
                times = (said.st_mtime_ns, said.st_ctime_ns)
                key.update(repr((kind, file.path, said.st_size, *times)).encode())
        return {table: self.folder / f"{key.hexdigest()}-{table}.parquet" for table in tables}


def _place(path: Path, place: Path) -> None:
    try:
        place.hardlink_to(path)
    except OSError:
        copyfile(path, place)


def _basis(connection: duckdb.DuckDBPyConnection, family: str, sources: Sequence[SqlFile]) -> bytes:
    texts = read_with(source.view for source in sources)
    chosen = {
        name: connection.execute(f"select getvariable({literal(name)})").fetchall()
        for name in variables_of(texts.values())
    }
    columns = [str(Shards(family, kind).columns) for kind in PART_KINDS]
    versions = (version("mirror-ray"), duckdb.__version__)
    return repr((versions, columns, sorted(texts.items()), sorted(chosen.items()))).encode()
