"""The episode scores by which a sweep's `until` decides."""

from collections.abc import Mapping

from mirror_ray.analysis.quoting import identifier
from mirror_ray.analysis.readable import readable
from mirror_ray.analysis.warehouse import open_run


def episode_scores(directory: str, metrics: Mapping[str, str]) -> dict[str, float]:
    """Return the score of each sealed episode that did not fail, by its id. `metrics` has, for each
    family, the column of ``episode.<family>`` that is the score.
    Raise RunDirError if a shard is damaged."""
    scores: dict[str, float] = {}
    with readable((directory,), "the scores cannot be read"), open_run(directory) as connection:
        for family, metric in metrics.items():
            query = (
                f"select episode_id, {identifier(metric)}::double as score "  # noqa: S608 - our names
                f"from episode.{identifier(family)} where score is not null"
            )
            scores.update(connection.execute(query).fetchall())
    return scores
