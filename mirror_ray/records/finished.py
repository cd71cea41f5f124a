"""A finished episode's rows, as they travel to the Recorder. Does not know Parquet."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FinishedEpisode:
    """An episode's rows in full: one for itself, one for each ask, in the order of the asks.

    Values of the column `take` are set by the recorder; what stands there is ignored.
    """

    family: str
    episode: dict[str, Any]
    steps: tuple[dict[str, Any], ...]
