"""Charts as Vega-Lite specifications: plain dictionaries, and functions for what recurs in them."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Chart: TypeAlias = Mapping[str, Any]
"""A specification or a part of one, which becomes JSON."""

Channel: TypeAlias = dict[str, Any]
"""What determines a position, a colour or another property of marks."""


def quantitative(field: str, **properties: Any) -> Channel:
    """Return a channel of numbers."""
    return {"field": field, "type": "quantitative", **properties}


def nominal(field: str, **properties: Any) -> Channel:
    """Return a channel of words without an order."""
    return {"field": field, "type": "nominal", **properties}


def layer(
    mark: Mapping[str, Any],
    encoding: Mapping[str, Channel],
    *,
    rows: Sequence[Mapping[str, Any]] | None = None,
    where: str | None = None,
) -> Chart:
    """Return a layer of a chart, or a chart of one layer.

    Args:
        mark: with its `type`.
        rows: of this layer alone; None: it draws the whole chart's.
        where: rows for which this expression is false are left out.
    """
    return {
        **({} if rows is None else {"data": {"values": rows}}),
        **({} if where is None else {"transform": [{"filter": where}]}),
        "mark": mark,
        "encoding": encoding,
    }


DESCRIPTION = nominal("description")
"""A row's `description` is the tooltip of its mark, and what screen readers say."""
