"""The table `listed`: the latest take of every sealed episode, in the order of the list.

Knows the columns all families share, and where shards lie; does not know what is asked of the list.
"""

from collections.abc import Sequence

import duckdb

from mirror_ray.errors import RunDirError
from mirror_ray.records.resume import sealed_columns
from mirror_ray.records.shards import EPISODES_FOLDER
from mirror_ray.records.storage import files_below, is_address, storage_of
from mirror_ray.records.storage_fault import faults_told

_COLUMNS = (
    "family",
    "condition",
    "model",
    "episode_id",
    "scene_seed",
    "run",
    "temperature",
    "variant",
    "take",
    "n_steps",
    "n_asks",
    "terminated",
    "truncated",
    "error_kind",
    "cost_usd",
    "tokens_in",
    "tokens_out",
    "wall_s",
    "finished_at",
)

# Ids last: they order what nothing else does.
_LISTED = """
create or replace table listed as
with latest as (
    select * from sealed
    qualify row_number() over (partition by episode_id order by take desc) = 1
)
select
    row_number() over (
        order by family, condition, model, variant, temperature, scene_seed, run, episode_id
    ) as place,
    * exclude (terminated, truncated),
    case when error_kind <> 'none' then 'failed' when truncated then 'cut off' else 'finished' end
    as outcome,
    null::varchar as failure
from latest
"""

_FROM_DISK = """
create temporary table sealed as
select {}, substr(filename, length($2 || 'episodes/') + 1) as shard
from read_parquet($1, filename = true, hive_partitioning = false)
"""


def shards_of(out: str) -> Sequence[str]:
    """The episodes' shards now; RunDirError where the storage cannot be read."""
    with faults_told(out, "the shards cannot be listed"):
        fs, root = storage_of(out)
        return tuple(files_below(fs, f"{root}/{EPISODES_FOLDER}", ".parquet"))


def list_sealed(connection: duckdb.DuckDBPyConnection, out: str, shards: Sequence[str]) -> None:
    """Makes the table `listed` of all that is sealed."""
    if is_address(out) or not shards:
        connection.register(
            "sealed", sealed_columns(out, EPISODES_FOLDER, _COLUMNS, shard_as="shard")
        )
        connection.execute(_LISTED)
        return
    _, root = storage_of(out)
    try:
        # DuckDB's own reader is there at once; Arrow's takes as long to load as all the rest.
        connection.execute(_FROM_DISK.format(", ".join(_COLUMNS)), [list(shards), f"{root}/"])
        connection.execute(_LISTED)
    except duckdb.Error as error:
        raise RunDirError(
            f"{out}: a Parquet shard under {EPISODES_FOLDER}/ cannot be read\n"
            f"  got:     {first_line(error)}\n"
            f"  allowed: the files this program wrote\n"
            f"  fix:     restore the file from a copy, or use another --out"
        ) from error


def first_line(error: duckdb.Error) -> str:
    """What DuckDB complains of, without its drawing of the query."""
    return str(error).splitlines()[0]
