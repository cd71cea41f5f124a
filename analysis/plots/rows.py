"""The rows that a chart draws."""

from typing import Any, Self

import altair as alt


class Rows(alt.InlineData):
    """Rows that all layers of a chart share.

    Altair deep-copies the rows of every layer when it combines charts; this class prevents that.
    """

    def __deepcopy__(self, memo: Any) -> Self:
        return self


DESCRIPTION = alt.Description("description:N")
"""A row's `description` is the tooltip of its mark, and what screen readers say."""
