"""The columns of an answer's channel, which FlipSet, MirrorQA and selfid share."""

import pyarrow as pa

STEP_COLUMNS = (
    # The purpose of this request: "answer", "prediction" (before an answer) or "stake" (after one).
    # NULL in rows of versions without channels, which only had answers.
    pa.field("asked_for", pa.string()),
    # Points, 1 to 10. Like the next columns, NULL if not requested or not readable.
    pa.field("bet", pa.int32()),
    # The model handed the question over instead of answering.
    pa.field("skipped", pa.bool_()),
    # The probability of being right that it states, 0 to 100.
    pa.field("predicted_percent", pa.int32()),
)

EPISODE_COLUMNS = (pa.field("channel", pa.string()),)
