"""Which episode is begun next: balanced over scenes, and no key's allowance left unused.

Knows lines of episodes, one per key, and what each key can use; does not wait, nor know why an
episode ended. Pure: the same calls give the same order.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import inf

from mirror_ray.identity import EpisodeSpec
from mirror_ray.sweep.in_flight import Capacity


@dataclass(frozen=True, slots=True)
class Lease:
    """An episode to be played.

    Args:
        deaths: Simulators that died while they held it, since it last got any further.
        reached: its recorded replies when the last of them died.
        scene: the place of its scene in the plan; all cells meet equal scenes in equal places.
    """

    spec: EpisodeSpec
    deaths: int = 0
    scene: int = 0
    reached: int = 0


def leases_for(episodes: Sequence[EpisodeSpec], wanted: Iterable[EpisodeSpec]) -> list[Lease]:
    """Leases of the `wanted` among a plan's episodes, in the plan's order."""
    left = {spec.episode_id for spec in wanted}
    scenes = groupby(episodes, key=lambda spec: (spec.cell.family, spec.scene_seed, spec.run))
    return [
        Lease(spec, scene=place)
        for place, (_, specs) in enumerate(scenes)
        for spec in specs
        if spec.episode_id in left
    ]


@dataclass(slots=True)
class _Line:
    """The episodes of one key that wait, in the plan's order."""

    waiting: deque[Lease] = field(default_factory=deque)
    under_way: int = 0
    capacity: Capacity = field(default_factory=lambda: Capacity(1.0, inf))

    @property
    def fill(self) -> float:
        return self.under_way / self.capacity.useful


class Order:
    """The episodes that wait. Each key's go in the plan's order, scene by scene over all its cells.

    Among keys that one is next which has the smallest share of what it can use under way: slow
    models hold no more episodes than their allowance can use, and fast ones never wait for them.

    Args:
        leases: in the plan's order.
        key_of: model → the key whose allowance it draws on; its own name where absent.
    """

    def __init__(self, leases: Iterable[Lease], key_of: Mapping[str, str]) -> None:
        self._key_of = key_of
        self._lines: dict[str, _Line] = {}
        self._unended: Counter[tuple[int, str]] = Counter()
        self._first_unpaid_scene = inf
        for lease in leases:
            self._line_of(lease).waiting.append(lease)
            self._unended[lease.scene, lease.spec.cell.model] += 1

    @property
    def waiting(self) -> int:
        """Episodes that wait."""
        return sum(len(line.waiting) for line in self._lines.values())

    @property
    def under_way(self) -> int:
        """Episodes handed out that have not come back."""
        return sum(line.under_way for line in self._lines.values())

    def next(self) -> Lease | None:
        """The episode to begin now; None while there is none, or no use for one more."""
        lines = [line for line in self._lines.values() if line.waiting]
        if not lines:
            return None
        # Somebody is always on the earliest scene: it is the ceiling itself that ends a sweep.
        scene = max(self._first_unpaid_scene, 1 + min(line.waiting[0].scene for line in lines))
        ready = [
            line
            for line in lines
            if line.under_way < line.capacity.at_most and line.waiting[0].scene < scene
        ]
        if not ready:
            return None
        line = min(ready, key=lambda one: (one.fill, one.waiting[0].scene))
        line.under_way += 1
        return line.waiting.popleft()

    def ended(self, lease: Lease) -> None:
        """An episode that was handed out is not under way any more."""
        self._line_of(lease).under_way -= 1
        self._unended[lease.scene, lease.spec.cell.model] -= 1

    def put_back(self, lease: Lease) -> None:
        """An episode that was handed out is to be played again, before all others of its key."""
        line = self._line_of(lease)
        line.under_way -= 1
        line.waiting.appendleft(lease)

    def withhold(self, which: Callable[[Lease], bool]) -> int:
        """Take the waiting ones that `which` names out for good; how many there were."""
        before = self.waiting
        for line in self._lines.values():
            kept = deque(lease for lease in line.waiting if not which(lease))
            for lease in line.waiting:
                if which(lease):
                    self._unended[lease.scene, lease.spec.cell.model] -= 1
            line.waiting = kept
        return before - self.waiting

    def expect(self, capacities: Mapping[str, Capacity]) -> None:
        """Key → what it can use, as far as is known by now."""
        for key, capacity in capacities.items():
            if key in self._lines:
                self._lines[key].capacity = capacity

    def pay_for(self, left_usd: float, mean_usd: Mapping[str, float]) -> None:
        """Hold models back that would spend on new scenes what others need for earlier ones.

        Nothing is begun on a scene that `left_usd` cannot pay for in all cells, after all earlier
        ones, so that a sweep whose money ends compares models on equal scenes.

        Args:
            mean_usd: model → what an episode costs; unknown, and free so far, where absent.
        """
        self._first_unpaid_scene = inf
        for (scene, model), episodes in sorted(self._unended.items()):
            left_usd -= episodes * mean_usd.get(model, 0.0)
            if left_usd < 0.0:
                self._first_unpaid_scene = scene
                return

    def _line_of(self, lease: Lease) -> _Line:
        model = lease.spec.cell.models[0][1]
        return self._lines.setdefault(self._key_of.get(model, model), _Line())
