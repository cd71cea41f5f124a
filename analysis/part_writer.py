"""Writes the rows of parts into tables on a separate thread, while the next part is computed."""

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

import duckdb
import pyarrow as pa

from mirror_ray.analysis.part_cache import KeptRows
from mirror_ray.analysis.shard_parts import ShardPart

STEPS_PER_CHECKPOINT = 4_000_000
"""Each checkpoint compresses the rows since the last; uncompressed, a million take about 50 MB."""

_INCOMING = "part_incoming"


class PartWriter:
    """Writes one part after another; all are written when the block ends.

    Args:
        connection: has the tables. While parts are being written, it may read them.
        kept: where to keep the parts' rows; None keeps none.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, kept: KeptRows | None) -> None:
        self._connection = connection.cursor()
        self._kept = kept
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._writing: Future[None] | None = None
        self._n_steps = 0

    def __enter__(self) -> "PartWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
                self._connection.execute("checkpoint held")
        finally:
            self._thread.shutdown()
            self._connection.close()

    def write(self, part: ShardPart, rows: Mapping[str, pa.Table], *, is_new: bool) -> None:
        """Add the part's rows to the tables, once those of the part before are written.

        Args:
            rows: by table.
            is_new: they are not kept yet.

        Raises:
            duckdb.Error: the part before could not be written.
        """
        # Besides the tables, the rows of at most two parts are in memory.
        self._finish()
        self._writing = self._thread.submit(self._write, part, rows, is_new)

    def _finish(self) -> None:
        if self._writing is not None:
            self._writing.result()

    def _write(self, part: ShardPart, rows: Mapping[str, pa.Table], is_new: bool) -> None:
        for table, some in rows.items():
            self._connection.register(_INCOMING, some)
            self._connection.execute(f"insert into {table} from {_INCOMING}")
            self._connection.unregister(_INCOMING)
        if self._kept is not None and is_new:
            self._kept.keep(part, rows)
        self._n_steps += part.n_steps
        if self._n_steps >= STEPS_PER_CHECKPOINT:
            self._connection.execute("checkpoint held")
            self._n_steps = 0
