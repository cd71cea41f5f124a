"""The tables of stored intervals: what the bootstrap writes and the views read."""

import pyarrow as pa

INTERVALS = pa.schema(
    [
        pa.field("family", pa.string(), nullable=False),
        pa.field("condition", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("temperature", pa.float64()),
        pa.field("variant", pa.string(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("n_scenes", pa.int64(), nullable=False),
        pa.field("estimate", pa.float64()),
        pa.field("se", pa.float64()),
        pa.field("ci_low", pa.float64()),
        pa.field("ci_high", pa.float64()),
        pa.field("method", pa.string(), nullable=False),
        # The reason if no interval was computed, else NULL.
        pa.field("reason", pa.string()),
        pa.field("draws", pa.int64(), nullable=False),
        pa.field("seed", pa.int64(), nullable=False),
        # Settings besides the shards on which the scores depend, e.g. "mirror_px_threshold=50.0".
        pa.field("parameters", pa.string(), nullable=False),
    ]
)

DIFFERENCES = pa.schema(
    [
        # Of `twin.scores`; the pair of a contrast and a metric names a row.
        pa.field("contrast", pa.string(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("difference", pa.float64(), nullable=False),
        pa.field("ci_low", pa.float64()),
        pa.field("ci_high", pa.float64()),
        pa.field("reason", pa.string()),
        # Two-sided, of the sign-flip test; NULL with one scene.
        pa.field("p", pa.float64()),
        pa.field("draws", pa.int64(), nullable=False),
        pa.field("seed", pa.int64(), nullable=False),
        pa.field("parameters", pa.string(), nullable=False),
    ]
)
