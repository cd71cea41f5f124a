"""Writes the rows of parts into Parquet files on a separate thread, while the next is computed.

DuckDB takes three times as long to insert the rows into a table and compress them.
"""

from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import duckdb
import pyarrow as pa

from mirror_ray.analysis.part_cache import KeptRows
from mirror_ray.analysis.part_folder import part_folder
from mirror_ray.analysis.shard_parts import ShardPart
from mirror_ray.records.checked_parquet import parquet_of


class PartWriter:
    """Writes one part after another, into the connection's temporary directory, which it may read
    and which is removed with it. `kept`: where to keep the parts' rows; None keeps none."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, kept: KeptRows | None) -> None:
        self._folder = part_folder(connection)
        self._kept = kept
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None
        self._files: dict[str, list[str]] = defaultdict(list)

    def finish(self) -> dict[str, list[str]]:
        """Wait until all is written; return each table's files, one of each part."""
        self._wait()
        if self._kept is not None:
            self._kept.make_room()
        return self._files

    def take(self, part: ShardPart, schemas: Mapping[str, pa.Schema]) -> bool:
        """Use the part's kept rows if they have these columns; return whether there are any."""
        paths = self._paths(schemas)
        found = self._kept is not None and self._kept.take(part, paths, schemas)
        if found:
            self._add(paths)
        return found

    def write(self, part: ShardPart, rows: Mapping[str, pa.Table]) -> None:
        """Write the part's rows, by table, once those of the part before are written. Raise OSError
        if those could not be written."""
        # The rows of at most two parts are in memory.
        self._wait()
        paths = self._paths(rows)
        self._writing = self._thread.submit(self._write, part, rows, paths)
        self._add(paths)

    def _wait(self) -> None:
        if self._writing is not None:
            self._writing.result()

    def _write(
        self, part: ShardPart, rows: Mapping[str, pa.Table], paths: Mapping[str, Path]
    ) -> None:
        for table, path in paths.items():
            # A kept file with other columns may have been linked here.
            path.unlink(missing_ok=True)
            with path.open("wb") as file:
                parquet_of(rows[table])(file)
        if self._kept is not None:
            self._kept.keep(part, paths)

    def _paths(self, tables: Mapping[str, object]) -> dict[str, Path]:
        return {one: self._folder / f"{one}-{len(self._files[one])}.parquet" for one in tables}

    def _add(self, paths: Mapping[str, Path]) -> None:
        for table, path in paths.items():
            self._files[table].append(str(path))
