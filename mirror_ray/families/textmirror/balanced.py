"""Random samples that are balanced over groups; a larger sample begins with the smaller one.

An item's place within its group depends on its own name alone.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from mirror_ray.core.identity import content_hash

_T = TypeVar("_T")


def in_turns(
    items: Iterable[_T], group_of: Callable[[_T], Hashable], name_of: Callable[[_T], object]
) -> list[_T]:
    """Return all items, the groups taking turns, each in an independent random order.

    Args:
        name_of: what of an item sets its place: equal wherever the item is met.
    """
    groups: dict[Hashable, list[_T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    for group in groups.values():
        group.sort(key=lambda item: content_hash("textmirror sample", name_of(item)))
    ordered = sorted(groups, key=lambda group: content_hash("textmirror group", repr(group)))
    longest = max(map(len, groups.values()), default=0)
    return [groups[name][at] for at in range(longest) for name in ordered if at < len(groups[name])]
