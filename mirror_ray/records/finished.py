"""A finished episode's rows: as an episode leaves them, and as they travel to the Recorder.

Does not know Parquet, nor how rows are written.
"""

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


@dataclass(frozen=True, slots=True)
class WrittenEpisode:
    """The same, checked against the family's columns and written; see `mirror_ray.records.form`.

    Args:
        error_kind: how it ended.
    """

    family: str
    episode_id: str
    error_kind: str
    rows: bytes
