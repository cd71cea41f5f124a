"""The views of all layers, copied from a database that a process made of them once.

DuckDB copies a catalogue in half of the time that it takes to make each view anew, which is most of
an opening, and who serves, compares or exports runs opens them again and again. A process that
opens one or two, as commands do, makes no such database.
"""

import shutil
import weakref
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock

import duckdb

from mirror_ray.analysis.quoting import literal

WORTHWHILE = 2
"""Openings after which the next one is taken for one of many."""

_NAME = "views_of_all_layers"


class ViewCopies:
    """Puts what these statements make into databases; any thread may ask.

    Args:
        statements: parsed; the schema `shard` has to be there.
    """

    def __init__(self, statements: Sequence[duckdb.Statement]) -> None:
        self._statements = statements
        self._asked = 0
        self._folder: Path | None = None
        self._lock = Lock()

    def put_into(self, connection: duckdb.DuckDBPyConnection) -> bool:
        """Copies them into a database in memory without any table, and makes the schema `shard`
        there. False: it may have done part of it, which the statements replace.
        """
        path = self._made()
        if path is None:
            return False
        try:
            connection.execute(f"attach {literal(str(path))} as {_NAME} (read_only)")
            connection.execute(f"copy from database {_NAME} to memory")
            connection.execute(f"detach {_NAME}")
        # Whoever opens it may have forbidden to attach files, or removed this one.
        except duckdb.Error:
            return False
        return True

    def _made(self) -> Path | None:
        with self._lock:
            self._asked += 1
            if self._folder is None and self._asked > WORTHWHILE:
                self._folder = self._make()
            return None if self._folder is None else self._folder / _NAME

    def _make(self) -> Path | None:
        try:
            folder = Path(mkdtemp(prefix="mirror-ray-views-"))
        except OSError:
            return None
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        with duckdb.connect(folder / _NAME) as database:
            database.execute("create schema shard")
            for statement in self._statements:
                database.execute(statement)
        return folder
