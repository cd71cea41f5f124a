"""The rows that a chart draws."""

from typing import Any, Self

import altair as alt


class Rows(alt.InlineData):
    """Rows that all layers of a chart share.

    Wherever charts are put together Altair copies them deep, each row of each layer.
    """

    def __deepcopy__(self, memo: Any) -> Self:
        return self


DESCRIPTION = alt.Description("description:N")
"""A mark is read out, and tipped, as its row's `description`."""
