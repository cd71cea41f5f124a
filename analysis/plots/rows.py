"""A chart's rows, and the chart of them that others are combined from."""

from collections.abc import Sequence
from typing import Any, Self

import altair as alt


class _Rows(alt.InlineData):
    def __deepcopy__(self, memo: Any) -> Self:
        return self


class _Chart(alt.Chart):
    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy(deep=False)


def chart_of(rows: Sequence[dict[str, Any]], **properties: Any) -> alt.Chart:
    """Return a chart that draws these rows.

    Altair copies all parts of a chart deeply whenever it combines charts. It changes only the data
    and the name in the copies, so one level of copies is enough and saves a third of a report's
    time."""
    return _Chart(_Rows(values=rows), **properties)


DESCRIPTION = alt.Description("description:N")
"""A row's `description` is the tooltip of its mark, and what screen readers say."""
