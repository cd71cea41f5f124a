"""A finished episode's rows: as produced, as sent between processes, and as they wait to be
sealed."""

from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class FinishedEpisode:
    """An episode's rows: its own, and one per request. The recorder sets their `take`."""

    family: str
    episode: dict[str, Any]
    steps: tuple[dict[str, Any], ...]

    def usd_of(self, model: str) -> float:
        """Return the known costs of the episode's requests to one model."""
        return sum(step["cost_usd"] or 0.0 for step in self.steps if step["model"] == model)


@dataclass(frozen=True, slots=True)
class WrittenEpisode:
    """A finished episode, checked against the columns and written by `records.rows.codec`."""

    family: str
    episode_id: str
    error_kind: str
    rows: bytes


class PackedForm(NamedTuple):
    """A family's columns when its episodes were written; see `mirror_ray.records.rows.codec`."""

    family: str
    steps: bytes
    episode: bytes


class Sealable(NamedTuple):
    """A finished episode that waits for its shard, with its rows in written form."""

    episode_id: str
    take: int
    error_kind: str
    rows: bytes


class Backlog(NamedTuple):
    """The finished episodes that wait to be sealed: their number, and the size of their rows."""

    episodes: int
    size_bytes: int
