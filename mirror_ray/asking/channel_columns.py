"""The columns of an answer's channel, which FlipSet, MirrorQA and selfid share."""

import pyarrow as pa

STEP_COLUMNS = (
    # What this ask asks for: answer; prediction, before one; stake, after one. NULL in rows of
    # versions without channels: an answer.
    pa.field("asked_for", pa.string()),
    # Points, 1 to 10. NULL where none was asked for or none could be read, as with the others.
    pa.field("bet", pa.int32()),
    # The model handed the question over instead of standing by an answer.
    pa.field("skipped", pa.bool_()),
    # How likely it calls its being right, 0 to 100.
    pa.field("predicted_percent", pa.int32()),
)

EPISODE_COLUMNS = (pa.field("channel", pa.string()),)
