"""Builds the table `listed`: the latest take of every sealed episode, in the order of the list.

If several run directories have an episode, its row comes from the directory that their views count.
"""

from collections.abc import Mapping, Sequence

import duckdb
import pyarrow as pa

from mirror_ray.analysis.merged_runs import RUN_DIR, surplus_sql
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.checked_parquet import refuse_altered
from mirror_ray.records.sandboxed_duckdb import pattern_of
from mirror_ray.records.schemas import EPISODES
from mirror_ray.records.shard_checks import check_size, sound
from mirror_ray.records.shard_files import EPISODES_FOLDER, shard_files
from mirror_ray.records.shards.shard_index import latest_takes, sealed_columns
from mirror_ray.records.storage import is_address, storage_of
from mirror_ray.records.storage_fault import faults_reported

_COLUMNS = (
    *("family", "condition", "model", "cell_id", "episode_id", "scene_seed", "run"),
    *("temperature", "variant", "take", "n_steps", "n_asks", "terminated", "truncated"),
    *("error_kind", "cost_usd", "tokens_in", "tokens_out", "wall_s", "finished_at"),
)

OUTCOME = """
case when error_kind <> 'none' then 'failed' when truncated then 'cut off' else 'finished' end"""
"""One of `filters.OUTCOMES`."""

# Ids come last and break remaining ties. The run's views fill in later what is NULL here.
_LISTED = """
create or replace table listed as
select
    row_number() over (
        order by family, condition, model, variant, temperature, scene_seed, run, episode_id
    ) as place,
    * exclude (terminated, truncated),
    {} as outcome,
    if(error_kind <> 'none', 'error', null) as verdict,
    null::double as score,
    null::varchar as gold,
    null::varchar as answer,
    null::varchar as scene,
    null::varchar as failure
from sealed
"""

_SIZES = "select file_name, num_rows, file_size_bytes from parquet_file_metadata($1)"

_FROM_DISK = """
select {}, substr(filename, length($2 || 'episodes/') + 1) as shard
from read_parquet($1, filename = true, hive_partitioning = false)
"""


def episode_shards(out: str) -> Sequence[str]:
    """Return the episodes' current shards. Raise RunDirError if the storage cannot be read."""
    with faults_reported(out, "the shards cannot be listed"):
        fs, root = storage_of(out)
        return tuple(shard_files(fs, f"{root}/{EPISODES_FOLDER}"))


def shards_of_each(directories: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return each run directory's current shards of episodes. Raise as `episode_shards` does."""
    return {out: episode_shards(out) for out in directories}


def list_sealed(connection: duckdb.DuckDBPyConnection, shards: Mapping[str, Sequence[str]]) -> None:
    """Create the table `listed` of all sealed episodes, given each run directory's shards."""
    tables = []
    for out, paths in shards.items():
        takes = _every_take(connection, out, paths).select([*_COLUMNS, "shard"])
        tables.append(takes.append_column(RUN_DIR, pa.repeat(out, takes.num_rows)))
    every_take = pa.concat_tables(tables, promote_options="permissive")
    if len(tables) > 1:
        connection.register("every_take", every_take)
        every_take = connection.sql(
            "from every_take anti join "
            f"({surplus_sql('every_take', list(shards))}) using (episode_id, run_dir)"
        ).to_arrow_table()
    connection.register("sealed", latest_takes(every_take))
    connection.execute(_LISTED.format(OUTCOME))


def _every_take(connection: duckdb.DuckDBPyConnection, out: str, shards: Sequence[str]) -> pa.Table:
    if is_address(out) or not shards:
        return sealed_columns(out, EPISODES_FOLDER, _COLUMNS, shard_as="shard")
    fs, root = storage_of(out)
    with faults_reported(out, "the shards cannot be read"):
        refuse_altered(fs, shards)
    try:
        # DuckDB's own reader starts at once; importing Arrow takes as long as everything else.
        query = _FROM_DISK.format(", ".join(_COLUMNS))
        patterns = [pattern_of(path) for path in shards]
        for path, n_rows, n_bytes in connection.execute(_SIZES, [patterns]).fetchall():
            check_size(path, n_rows, n_bytes)
        read = connection.sql(query, params=[patterns, f"{root}/"]).to_arrow_table()
    except duckdb.Error:
        # Arrow, reading shard by shard, identifies the damaged one.
        read = sealed_columns(out, EPISODES_FOLDER, _COLUMNS, shard_as="shard")
    expected = pa.schema([EPISODES.field(name) for name in _COLUMNS])
    return sound(f"{out}/{EPISODES_FOLDER}", read, expected)


def first_line(error: Exception) -> str:
    """Return DuckDB's message without its excerpt of the query."""
    return one_printable_line(str(error).partition("\n")[0])
