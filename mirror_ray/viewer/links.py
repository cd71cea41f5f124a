"""The addresses to which an episode's page links."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mirror_ray.records.shards.reader import StoredRow

Source = Callable[[int, str], str]
"""Returns the address of a picture, given the request's number and the picture's name."""


@dataclass(frozen=True, slots=True)
class SceneLink:
    """A link to another episode of the same scene.

    Args:
        what: what differs from the episode: the model, the condition, or settings.
        n: how many episodes of the scene differ only in that, e.g. a seed's stories.
        href: the address of its page; side_by_side: that of both on one page. None: no such page.
    """

    row: StoredRow
    what: str
    href: str | None
    side_by_side: str | None
    n: int = 1


@dataclass(frozen=True, slots=True)
class Links:
    """The links of an episode's page; None: no link.

    Args:
        models: the same scene with other models, all else equal.
        conditions: the same model under other conditions.
        n_others: how many episodes differ in several ways.
        scene: the address of the list of the scene's episodes.
    """

    up: str | None = None
    before: str | None = None
    after: str | None = None
    models: Sequence[SceneLink] = field(default_factory=tuple)
    conditions: Sequence[SceneLink] = field(default_factory=tuple)
    n_others: int = 0
    scene: str | None = None


_MOST_LINKS = 24
"""Most links of each kind to episodes of a scene; the list has all."""


def scene_links(
    listed: StoredRow,
    others: Sequence[StoredRow],
    *,
    href: Callable[[str], str | None],
    side_by_side: Callable[[str, str], str | None],
) -> tuple[tuple[SceneLink, ...], tuple[SceneLink, ...], int]:
    """Return the episodes of a scene as links: other models, other conditions, and how many more.

    Args:
        listed: the episode's row of the list.
        others: the rows of the scene's other episodes.
        href: returns the address of an episode's page.
        side_by_side: returns the address of the page of two episodes.
    """
    alike: dict[str, dict[str, list[StoredRow]]] = {"model": {}, "condition": {}}
    for row in others:
        differs = [name for name in _TOLD_APART if row[name] != listed[name]]
        if len(differs) == 1 and differs[0] in alike:
            alike[differs[0]].setdefault(row[differs[0]], []).append(row)

    def link(what: str, rows: Sequence[StoredRow]) -> SceneLink:
        # Among several stories, one with the same right answer is the same story, if any is.
        row = next((one for one in rows if one["gold"] == listed["gold"]), rows[0])
        this, that = listed["episode_id"], row["episode_id"]
        return SceneLink(row, what, href(that), side_by_side(this, that), len(rows))

    models, conditions = (
        tuple(link(what, rows) for what, rows in list(of_kind.items())[:_MOST_LINKS])
        for of_kind in alike.values()
    )
    shown = sum(one.n for one in (*models, *conditions))
    return models, conditions, len(others) - shown


_TOLD_APART = ("model", "condition", "temperature", "variant")
