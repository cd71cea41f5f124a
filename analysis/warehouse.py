"""A run directory as a DuckDB database: raw shards, then the views of `sql`, layer by layer."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import duckdb
from pyarrow import fs as pafs

from mirror_ray.analysis.episode_tables import hold_episodes
from mirror_ray.analysis.merged_runs import RUN_DIR, Joined, join_runs
from mirror_ray.analysis.model_facts import VARIABLE, stated_facts, stated_servers_of
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.selection import keep_episodes
from mirror_ray.analysis.shard_views import add_shard_views, shard_tables, shard_views
from mirror_ray.analysis.shards import Shards, mentioned_shards
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import files_of, read_with, stages_of, variable_names
from mirror_ray.contract.metrics import METRICS
from mirror_ray.records.manifest import manifest_if_any
from mirror_ray.records.run_folders import distinct_runs, require_run
from mirror_ray.records.storage import is_address, join, storage_of, write_text

VIEWS_FILE = "views.sql"

_WITHOUT_CHECKPOINTS: Mapping[str, Any] = {"checkpoint_threshold": "1TB"}
"""For tables in memory. `held` sets another value, because each checkpoint compresses some rows
again."""

_HEAD = "-- All views of this run. From this directory: duckdb -init views.sql\n"
_HEAD_OF_STORED = """\
-- All views of this run, from anywhere: duckdb -init views.sql
-- DuckDB reads the store through its extension httpfs; who may read it is told once, beforehand:
--   create persistent secret (type s3, provider credential_chain);
"""


def open_run(
    directory: str | Sequence[str],
    *,
    variables: Mapping[str, Any] | None = None,
    where: str | None = None,
    hold: bool = False,
    keep: bool = True,
    config: Mapping[str, Any] | None = None,
    only: frozenset[str] | None = None,
) -> duckdb.DuckDBPyConnection:
    """Open an in-memory database with the views of a run's families, or of several runs as one;
    nothing is written.

    It reads these runs' shards and no other file, loads no extension, and its settings are locked:
    opening a run directory executes nothing in it. It reads the shards that exist now.

    Args:
        directory: the run directory's path or address, or several. With several, shards and stages
            have a column ``run_dir``. Of an episode that several have, only the latest copy that
            ended well counts.
        variables: what the views read with `getvariable`, e.g. ``{"mirror_px_threshold": 100}``.
        where: a SQL condition of the reader over the columns that all episodes share; the views
            cover only the episodes that fulfil it. None: all.
        config: DuckDB's own settings, e.g. ``{"threads": 2}``.
        hold: compute the views with one row per episode now, which pays off for many queries.
        keep: with `hold`, reuse what earlier openings of large runs left in the reader's cache
            folder, and store there what this one computes; the views give the same rows either way.
        only: create only these views, for every family, and those they read; for commands that read
            no others. None: all.

    Raises:
        NotADirectoryError: the directory does not exist.
        RunDirError: something in it leads elsewhere; its manifest or a shard is damaged; or it is a
            folder of run directories.
        ValueError: a variable that no view reads; no view in a file; no condition in `where`.
        duckdb.Error: DuckDB rejects `where`.
    """
    directories = distinct_runs([directory] if isinstance(directory, str) else directory)
    manifests = [_manifest_of(each) for each in directories]
    servers = stated_servers_of(manifests)
    connection = duckdb.connect(config={**_WITHOUT_CHECKPOINTS, **(config or {})})
    # Progress bars would be mixed into output for scripts. In a notebook without ipywidgets, there
    # are none, and DuckDB refuses this setting.
    if connection.execute("select current_setting('enable_progress_bar')").fetchall()[0][0]:
        connection.execute("set enable_progress_bar = false")
    facts = _facts_text(*manifests)
    for name in variables or ():
        if name not in variable_names():
            raise ValueError(f"no view reads a variable {name!r}; {variable_names()} are read")
    for name, value in {VARIABLE: facts, **servers, **(variables or {})}.items():
        connection.execute(f"set variable {name} = $1", [value])
    files, shards = add_shard_views(connection, directories, _shards(only))
    several = len(directories) > 1
    joined = join_runs(connection, directories, shards) if several else Joined()
    if where is not None:
        keep_episodes(connection, shards, where, [RUN_DIR] if several else [])
    # No files are listed for runs in an object store.
    played = {file.shards.family for file in files if file.n_rows} & METRICS.keys()
    families = played.union(*map(_stated_families, manifests)) or METRICS.keys()
    sources = _files(frozenset(families), only)
    for statement in definitions(frozenset(families), only):
        connection.execute(statement)
    # Rows of a family that is not installed here can be read, but have no scores.
    for family in sorted(
        {each.family for each in shards} - {each.family for each in _shards(only)}
    ):
        for source in stages_of(family):
            connection.execute(source.definition(deferred=True))
    if hold:
        keep = keep and where is None and not joined.cut
        hold_episodes(connection, sources, files, joined.single, keep=keep)
    return connection


def held_run(
    directory: str, run: duckdb.DuckDBPyConnection | None
) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
    """Yield the given run, opened with `hold`, and leave it open; without one, open the
    directory."""
    return open_run(directory, hold=True) if run is None else nullcontext(run)


def _manifest_of(directory: str) -> Mapping[str, Any]:
    fs, root = storage_of(directory)
    if fs.get_file_info(root).type != pafs.FileType.Directory:
        raise NotADirectoryError(f"no run directory at {directory}")
    require_run(directory, fs, root)
    return manifest_if_any(directory) or {}


def _facts_text(*manifests: Mapping[str, Any]) -> str | None:
    """Return what the catalogues state about each model; later directories take precedence."""
    facts = {name: said for one in manifests for name, said in stated_facts(one).items()}
    return json.dumps(facts) if facts else None


def deferred_views(sources: Iterable[SqlFile]) -> tuple[duckdb.Statement, ...]:
    """Return the parsed statements that create the views and macros, for any number of databases.

    Nothing is bound yet, because binding every view takes longer than most queries.

    Raises:
        ValueError: a file is not a select.
    """
    with duckdb.connect() as parser:
        return _parsed(parser, tuple(sources))


def _parsed(
    parser: duckdb.DuckDBPyConnection, sources: Sequence[SqlFile]
) -> tuple[duckdb.Statement, ...]:
    statements = parser.extract_statements("".join(_schemas(sources)))
    for source in sources:
        try:
            statements += parser.extract_statements(source.definition(deferred=True))
        except duckdb.Error as error:
            raise ValueError(f"{source.path}: {error}") from error
    return tuple(statements)


def write_views(directory: str) -> str:
    """Write `views.sql`, the views for the plain DuckDB command line; return its path.

    Use: ``cd DIRECTORY && duckdb -init views.sql``. For a run in an object store, the file may be
    anywhere. It lists the shards again each time it is read."""
    fs, root = storage_of(directory)
    stored = is_address(directory)
    head = _HEAD_OF_STORED if stored else _HEAD
    manifest = manifest_if_any(directory) or {}
    stated = {VARIABLE: _facts_text(manifest), **stated_servers_of([manifest])}
    said = (
        f"set variable {name} = {'null' if text is None else literal(text)};"
        for name, text in stated.items()
    )
    statements = _statements(
        directory.rstrip("/") if stored else None, _stated_families(manifest) or frozenset(METRICS)
    )
    text = "\n".join([head, *said, *statements])
    write_text(fs, f"{root}/{VIEWS_FILE}", f"{text}\n")
    return join(directory, VIEWS_FILE)


@cache
def _shards(only: frozenset[str] | None = None) -> tuple[Shards, ...]:
    return mentioned_shards(file.text for file in _files(frozenset(METRICS), only))


@cache
def _files(families: frozenset[str], only: frozenset[str] | None) -> tuple[SqlFile, ...]:
    every = {file.view: file for file in files_of(families)}
    if only is None:
        return tuple(every.values())
    kinds = [one.partition(".") for one in only]
    wanted = [f"{layer}.{family}_{kind}" for layer, _, kind in kinds for family in families]
    texts = read_with(wanted, {view: file.text for view, file in every.items()})
    return tuple(file for view, file in every.items() if view in texts)


@cache
def definitions(
    families: frozenset[str], only: frozenset[str] | None = None
) -> tuple[duckdb.Statement, ...]:
    """Return the parsed statements that create these families' views, or `only` some of them. The
    schema `shard` must exist.

    Raises:
        ValueError: a file is not a select.
    """
    # Parsing takes longer than everything else when a run is opened, and the files do not change.
    return deferred_views(_files(families, only))


def _stated_families(manifest: Mapping[str, Any]) -> frozenset[str]:
    stages = manifest.get("sweep", {}).get("stages")
    each = stages if isinstance(stages, list) else ()
    stated = {str(stage.get("family")) for stage in each if isinstance(stage, dict)}
    return frozenset(stated & METRICS.keys())


def _statements(root: str | None, families: frozenset[str]) -> Iterator[str]:
    """Return the views over all shards, by DuckDB's own means, and all views over those.

    Older command lines bind a view when it is created, with all views below it, and binding reads
    the footer of every shard. Therefore the layers are created over empty tables, which the shards
    then replace. It binds a thousand views, of all families, in 15 s.

    Args:
        root: the run directory; None: the working directory.
        families: whose views are created, and which the views over all families cover.
    """
    sources = files_of(families)
    shards = _shards()
    yield "create schema if not exists shard;"
    yield from shard_tables(shards, root, VIEWS_FILE)
    yield from _schemas(sources)
    for source in sources:
        yield source.definition()
    yield from shard_views(shards)


def _schemas(sources: Iterable[SqlFile]) -> Iterator[str]:
    for layer in dict.fromkeys(source.layer for source in sources):
        yield f"create schema if not exists {layer};"
