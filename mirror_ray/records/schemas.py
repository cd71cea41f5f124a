"""The columns that all families share: the contract between the engine and the SQL. Families append
those of `mirror_ray.contract.columns`."""

import pyarrow as pa

SCHEMA_VERSION = 4

IDENTITY = pa.schema(
    [
        pa.field("sweep", pa.string(), nullable=False),
        pa.field("family", pa.string(), nullable=False),
        pa.field("condition", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("cell_id", pa.string(), nullable=False),
        pa.field("episode_id", pa.string(), nullable=False),
        pa.field("scene_seed", pa.int64(), nullable=False),
        pa.field("run", pa.int32(), nullable=False),
        pa.field("temperature", pa.float64()),
        pa.field("variant", pa.string(), nullable=False),
        # How often the episode has been played to an end; readers use the latest take.
        pa.field("take", pa.int32(), nullable=False),
    ]
)

FAILED_ATTEMPT = pa.struct(
    [
        pa.field("started_at", pa.string()),
        pa.field("latency_s", pa.float64()),
        pa.field("error_kind", pa.string()),
        pa.field("error", pa.string()),
        pa.field("cost_usd", pa.float64()),
    ]
)

STEPS = pa.schema(
    [
        *IDENTITY,
        pa.field("ask", pa.int32(), nullable=False),
        pa.field("step", pa.int32(), nullable=False),
        pa.field("role", pa.string(), nullable=False),
        # Repeated in every row: a shard's dictionary stores each text once.
        pa.field("system_sha", pa.string()),
        pa.field("system", pa.string()),
        pa.field("user", pa.string()),
        pa.field("reply", pa.string()),
        pa.field("reasoning", pa.string()),
        # Written by the family: how the reply was read, and every repair it needed.
        pa.field("parse_status", pa.string()),
        pa.field("parse_fixes", pa.list_(pa.string())),
        # True on a reply that could not be read and was asked for again: paid, kept, not scored.
        pa.field("superseded", pa.bool_(), nullable=False),
        pa.field("finish_reason", pa.string()),
        pa.field("native_finish_reason", pa.string()),
        pa.field("error_kind", pa.string(), nullable=False),
        pa.field("error", pa.string()),
        pa.field("tokens_in", pa.int64()),
        pa.field("tokens_out", pa.int64()),
        pa.field("tokens_cached", pa.int64()),
        pa.field("tokens_image", pa.int64()),
        # The known part of all attempts' costs; an unknown cost is NULL in the list below.
        pa.field("cost_usd", pa.float64()),
        pa.field("latency_s", pa.float64()),
        pa.field("attempts", pa.int32()),
        # The attempts before the one that was answered, in order; empty if the first one was.
        pa.field("failed_attempts", pa.list_(FAILED_ATTEMPT)),
        pa.field("model_version", pa.string()),
        # The price tier that served the reply; NULL if the provider did not say.
        pa.field("service_tier", pa.string()),
        pa.field("frame_sha", pa.string()),
        pa.field("started_at", pa.string()),
    ]
)

EPISODES = pa.schema(
    [
        *IDENTITY,
        pa.field("n_steps", pa.int32(), nullable=False),
        pa.field("n_asks", pa.int32(), nullable=False),
        pa.field("terminated", pa.bool_(), nullable=False),
        pa.field("truncated", pa.bool_(), nullable=False),
        pa.field("error_kind", pa.string(), nullable=False),
        pa.field("error", pa.string()),
        # Sums over the requests; NULL as soon as one of them is unknown.
        pa.field("cost_usd", pa.float64()),
        pa.field("tokens_in", pa.int64()),
        pa.field("tokens_out", pa.int64()),
        pa.field("wall_s", pa.float64()),
        pa.field("finished_at", pa.string(), nullable=False),
    ]
)


def with_family_columns(common: pa.Schema, family: pa.Schema) -> pa.Schema:
    """Return `common` followed by the family's columns; ValueError if both have a name."""
    twice = set(common.names) & set(family.names)
    if twice:
        raise ValueError(f"family columns repeat common ones: {sorted(twice)}")
    return pa.schema([*common, *family], metadata={"schema_version": str(SCHEMA_VERSION)})
