"""FlipSet's columns besides the common ones."""

import pyarrow as pa

from mirror_ray.asking import channel_columns as channel

STEP_COLUMNS = pa.schema(
    [
        # The chosen label, A–D; NULL if none could be read.
        pa.field("answer", pa.string()),
        # The kind of that option: correct, egocentric, confusable, random; fail if none was read;
        # skipped if the question was handed over. NULL without a reply.
        pa.field("chosen_kind", pa.string()),
        # Ground truth of the picture: pixels of card, monkey and screen, and the height of a
        # capital letter of the card's text.
        pa.field("card_px", pa.int32()),
        pa.field("monkey_px", pa.int32()),
        pa.field("screen_px", pa.int32()),
        pa.field("text_height_px", pa.float64()),
        *channel.STEP_COLUMNS,
    ]
)

FACT_COLUMNS = ("card_px", "monkey_px", "screen_px", "text_height_px")

EPISODE_COLUMNS = pa.schema(
    [
        pa.field("item_class", pa.string()),
        pa.field("item", pa.string()),
        # Texts in the order of their labels, and the kind of each.
        pa.field("options", pa.list_(pa.string())),
        pa.field("option_kinds", pa.list_(pa.string())),
        # The order of the options: C correct, E egocentric, F confusable, R random.
        pa.field("layout", pa.string()),
        pa.field("gold", pa.string()),
        pa.field("angle_deg", pa.int32()),
        # L1: whether the screen hides the card from the monkey; NULL in other conditions.
        pa.field("hidden", pa.bool_()),
        pa.field("prompting", pa.string()),
        # Whether the printed or our framed words were sent; NULL in rows of versions with only the
        # latter.
        pa.field("prompt", pa.string()),
        pa.field("scene", pa.string()),
        pa.field("layouts", pa.int32()),
        pa.field("strings", pa.string()),
        pa.field("image_width_px", pa.int32()),
        pa.field("image_height_px", pa.int32()),
        pa.field("encoding", pa.string()),
        *channel.EPISODE_COLUMNS,
    ]
)
