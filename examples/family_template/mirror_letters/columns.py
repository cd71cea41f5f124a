"""letters' columns besides the common ones."""

import pyarrow as pa

STEP_COLUMNS = pa.schema(
    [
        # The word as it was read; NULL where there was none.
        pa.field("answer", pa.string()),
    ]
)
EPISODE_COLUMNS = pa.schema([pa.field("word", pa.string()), pa.field("length", pa.int32())])
