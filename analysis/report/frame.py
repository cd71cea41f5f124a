"""A frame at the top of the page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReportFrame:
    """What a model was shown first in a condition.

    Args:
        caption: family and condition.
        meaning: what the condition manipulates.
        data: the picture as a ``data:`` address.
    """

    caption: str
    meaning: str
    data: str
