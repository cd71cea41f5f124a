"""The order in which a person meets the episodes: random, and the same whenever they come back.

An episode's place follows from the person and the episode alone, so that a plan that has grown
changes the order of none that were there.
"""

from collections.abc import Iterable

from mirror_ray.core.identity import EpisodeSpec, content_hash


def in_order(person: str, episodes: Iterable[EpisodeSpec]) -> list[EpisodeSpec]:
    """The episodes as this person meets them.

    Args:
        person: the pseudonym, which seeds the order.
    """
    return sorted(episodes, key=lambda spec: content_hash("order", person, spec.episode_id))
