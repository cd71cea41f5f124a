"""letters' columns, in addition to the common ones."""

import pyarrow as pa

STEP_COLUMNS = pa.schema(
    [
        # The word read in the reply; NULL without one.
        pa.field("answer", pa.string())
    ]
)
EPISODE_COLUMNS = pa.schema([pa.field("word", pa.string()), pa.field("length", pa.int32())])
