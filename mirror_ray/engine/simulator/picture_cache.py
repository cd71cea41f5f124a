"""A Simulator's cache of drawn pictures, because models get equal scenes. For one thread."""

import pickle
from collections import OrderedDict
from dataclasses import dataclass

from mirror_ray.core.types import Image
from mirror_ray.engine.rollout import DrawnPicture

PICTURE_CACHE_BYTES = 64 * 2**20
"""Room for some 3,000 views of selfid at 640×480 (20 KB each) or 180 cards of FlipSet (360 KB; it
has 80), so that pictures are kept until the slowest model needs them. A Simulator without them
takes 285 MiB."""

ENTRY_BYTES = 1_024
"""Memory of a cached picture besides its data and facts: key, hash and Python objects."""


class PictureCache:
    """The most recently used pictures that fit into `max_bytes` of data, facts and `ENTRY_BYTES`
    each; 0 keeps none, None is `PICTURE_CACHE_BYTES`."""

    def __init__(self, max_bytes: int | None = None) -> None:
        self._max_bytes = PICTURE_CACHE_BYTES if max_bytes is None else max_bytes
        self._kept: OrderedDict[bytes, _Kept] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        """Return the number of pictures kept."""
        return len(self._kept)

    @property
    def n_bytes(self) -> int:
        """The bytes that they take."""
        return self._bytes

    def get(self, key: bytes | None) -> DrawnPicture | None:
        """Return the picture of a view, with its own copy of the facts; None if it is not
        cached."""
        kept = None if key is None else self._kept.get(key)
        if key is None or kept is None:
            return None
        self._kept.move_to_end(key)
        return DrawnPicture(kept.image, pickle.loads(kept.facts))  # noqa: S301 - written below

    def put(self, key: bytes | None, picture: DrawnPicture) -> None:
        """Keep a picture, and drop the least recently used ones."""
        if key is None or key in self._kept:
            return
        kept = _Kept(picture.image, pickle.dumps(picture.facts))
        if kept.n_bytes > self._max_bytes:
            return
        self._kept[key] = kept
        self._bytes += kept.n_bytes
        while self._bytes > self._max_bytes:
            self._bytes -= self._kept.popitem(last=False)[1].n_bytes


@dataclass(frozen=True, slots=True)
class _Kept:
    image: Image
    facts: bytes

    @property
    def n_bytes(self) -> int:
        return len(self.image.data) + len(self.facts) + ENTRY_BYTES
