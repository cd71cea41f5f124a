"""textmirror's columns besides the common ones. Columns that a stage does not have are NULL."""

import pyarrow as pa

STEP_COLUMNS = pa.schema([pa.field("parse_problem", pa.string())])

EPISODE_COLUMNS = pa.schema(
    [
        pa.field("n_sentences", pa.int32()),
        # The author of the story (M1), its editor (M2), the model that is asked about it (M3).
        pa.field("author", pa.string()),
        pa.field("editor", pa.string()),
        pa.field("reader", pa.string()),
        # The episode whose reply this one was given.
        pa.field("parent_id", pa.string()),
        pa.field("seed_text", pa.string()),
        pa.field("seed_origin", pa.string()),
        # Step 0: the prompts that were read from the reply.
        pa.field("prompts", pa.list_(pa.string())),
        # The sentences: of the story as written, or as shown to the reader.
        pa.field("sentences", pa.list_(pa.string())),
        # Step 1: exactly as many sentences as were asked for.
        pa.field("kept", pa.bool_()),
        # 1-based number of the revised sentence, and its two texts.
        pa.field("position", pa.int32()),
        pa.field("original_sentence", pa.string()),
        pa.field("revised_sentence", pa.string()),
        # Words of the sentence as written and as revised.
        pa.field("original_words", pa.int32()),
        pa.field("revised_words", pa.int32()),
        # The reader's answer: 1-based, 0 for nothing; NULL if it gave no number.
        pa.field("predicted", pa.int32()),
        # Whether the reply named something that could be right.
        pa.field("valid", pa.bool_()),
        # Attribution: the models that were offered, in their order, and the one that was named.
        pa.field("makers", pa.list_(pa.string())),
        pa.field("named", pa.string()),
        # NULL if nothing is right or wrong (an unchanged story).
        pa.field("correct", pa.bool_()),
    ]
)
