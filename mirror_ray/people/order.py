"""The order in which a person gets the episodes: random, and the same at every visit.

An episode's place depends on the person and the episode alone, so that a plan that has grown does
not change the order of earlier episodes.
"""

from collections.abc import Iterable

from mirror_ray.core.identity import EpisodeSpec, content_hash


def in_order(person: str, episodes: Iterable[EpisodeSpec]) -> list[EpisodeSpec]:
    """Return the episodes in this person's order.

    Args:
        person: the pseudonym, which seeds the order.
    """
    return sorted(episodes, key=lambda spec: content_hash("order", person, spec.episode_id))
