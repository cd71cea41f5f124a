"""Writes parts' rows into Parquet files on a separate thread, while the next part is computed.

DuckDB takes three times as long to insert the rows into a table and compress them.
"""

import weakref
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from shutil import rmtree
from types import TracebackType

import duckdb
import pyarrow as pa

from mirror_ray.analysis.part_cache import KeptRows
from mirror_ray.analysis.shard_parts import ShardPart
from mirror_ray.records.checked_parquet import parquet_of


class PartWriter:
    """Writes one part after another; when the block ends, all are written. The files lie in the
    connection's temporary directory, which it may read, and are removed with the connection.

    Args:
        kept: where parts' rows are kept; None: nowhere.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, kept: KeptRows | None) -> None:
        place = connection.execute("select current_setting('temp_directory')").fetchall()[0][0]
        self._folder = Path(place)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        weakref.finalize(connection, rmtree, self._folder, ignore_errors=True)
        self._kept = kept
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None
        self.files: dict[str, list[str]] = defaultdict(list)
        """Table → its files, one of each part."""

    def __enter__(self) -> "PartWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
                if self._kept is not None:
                    self._kept.make_room()
        finally:
            self._thread.shutdown()

    def take(self, part: ShardPart, schemas: Mapping[str, pa.Schema]) -> bool:
        """Use the part's kept rows, if there are any with these columns; return whether there
        are."""
        self._finish()
        paths = self._paths(schemas)
        if self._kept is None or not self._kept.take(part, paths, schemas):
            return False
        self._add(paths)
        return True

    def write(self, part: ShardPart, rows: Mapping[str, pa.Table]) -> None:
        """Write the part's rows, by table, once those of the part before are written.

        Raises:
            OSError: the part before could not be written.
        """
        # The rows of at most two parts are in memory.
        self._finish()
        self._writing = self._thread.submit(self._write, part, rows)

    def _finish(self) -> None:
        if self._writing is not None:
            self._writing.result()

    def _write(self, part: ShardPart, rows: Mapping[str, pa.Table]) -> None:
        paths = self._paths(rows)
        for table, path in paths.items():
            # A kept file with other columns may have been linked here.
            path.unlink(missing_ok=True)
            with path.open("wb") as file:
                parquet_of(rows[table])(file)
        if self._kept is not None:
            self._kept.keep(part, paths)
        self._add(paths)

    def _paths(self, tables: Mapping[str, object]) -> dict[str, Path]:
        return {one: self._folder / f"{one}-{len(self.files[one])}.parquet" for one in tables}

    def _add(self, paths: Mapping[str, Path]) -> None:
        for table, path in paths.items():
            self.files[table].append(str(path))
