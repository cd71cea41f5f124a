"""Decides which episode starts next: balanced over scenes, and within each key's limits. Pure."""

from bisect import bisect_left, insort
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from math import inf

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.simulator.messages import Lease
from mirror_ray.sweep.in_flight import Capacity

SCENES_AHEAD = 4
"""Per Simulator: how many scenes of a key are searched for one that an idle Simulator has drawn. If
two Simulators have drawn half of the scenes each, the search fails once in 250 times."""

KEYS_AHEAD = 64
"""How many keys are searched for such a scene, because a run may have thousands."""

TURNS_PASSED = 16
"""Per Simulator: how often in a row a key loses its turn to another one that has such a scene.
Simulators that are idle in turn pass it over about once each."""


def leases_for(episodes: Sequence[EpisodeSpec], wanted: Iterable[EpisodeSpec]) -> list[Lease]:
    """Return leases for the `wanted` episodes of a plan, in the plan's order."""
    left = {spec.episode_id for spec in wanted}
    scenes = groupby(episodes, key=lambda spec: (spec.cell.family, spec.scene_seed, spec.run))
    return [
        Lease(spec, scene=place, shows=FAMILIES[spec.cell.family].shown_by(spec))
        for place, (_, specs) in enumerate(scenes)
        for spec in specs
        if spec.episode_id in left
    ]


_Turn = tuple[float, int, int, "_Line"]
"""Share of usable episodes in flight, first scene, number, and the line. The smallest is next."""


@dataclass(slots=True)
class _Line:
    """The waiting episodes of one key, scene by scene in the plan's order. Returned episodes, in
    `again`, go first. `passed` counts how often in a row another line was preferred at this one's
    turn."""

    number: int
    scenes: OrderedDict[int, deque[Lease]] = field(default_factory=OrderedDict)
    again: deque[Lease] = field(default_factory=deque)
    waiting: int = 0
    passed: int = 0
    under_way: int = 0
    capacity: Capacity = field(default_factory=lambda: Capacity(1.0, inf))
    turn: _Turn | None = field(default=None, repr=False)

    def next_turn(self) -> _Turn | None:
        if not self.waiting or self.under_way >= self.capacity.at_most:
            return None
        return self.under_way / self.capacity.useful, self.scene, self.number, self

    @property
    def scene(self) -> int:
        return self.again[0].scene if self.again else next(iter(self.scenes))

    def ahead(self, scenes: int) -> Iterator[tuple[int, str | None]]:
        first = self.scene
        for scene, leases in self.scenes.items():
            if scene >= first + scenes:
                return
            yield scene, leases[0].shows

    def append(self, lease: Lease) -> None:
        self.scenes.setdefault(lease.scene, deque()).append(lease)
        self.waiting += 1

    def pop(self, scene: int) -> Lease:
        """Return the scene's first waiting episode, or a returned one."""
        self.waiting -= 1
        if self.again:
            return self.again.popleft()
        leases = self.scenes[scene]
        lease = leases.popleft()
        if not leases:
            del self.scenes[scene]
        return lease

    def keep(self, which: Callable[[Lease], bool]) -> None:
        self.again = deque(filter(which, self.again))
        kept = [(scene, deque(filter(which, leases))) for scene, leases in self.scenes.items()]
        self.scenes = OrderedDict((scene, leases) for scene, leases in kept if leases)
        self.waiting = len(self.again) + sum(map(len, self.scenes.values()))


class EpisodeOrder:
    """The waiting episodes. Those of each key go in the plan's order, scene by scene.

    The next key is the one with the smallest share of its usable episodes in flight: slow models
    take no more than their limits can use, and fast ones never wait for them.

    Scenes whose pictures an idle Simulator has drawn are preferred, among the next `SCENES_AHEAD`
    of a key, and those of another key at most `TURNS_PASSED` times in a row. An idle Simulator
    always gets an episode if there is one.

    Args:
        limit_key_of: model → its rate-limited key; its own name if absent.
        in_order: start each key's scenes strictly in order.
    """

    def __init__(
        self, leases: Iterable[Lease], limit_key_of: Mapping[str, str], *, in_order: bool = False
    ) -> None:
        self._limit_key_of = limit_key_of
        self._in_order = in_order
        self._lines: dict[str, _Line] = {}
        self._turns: list[_Turn] = []
        self._under_way = 0
        self._unended: Counter[tuple[int, str]] = Counter()
        self._first_unpaid_scene = inf
        self._drawn_by: dict[str, set[int]] = {}
        self._simulators: set[int] = set()
        for lease in leases:
            self._line_of(lease).append(lease)
            self._unended[lease.scene, lease.spec.cell.model] += 1
        self._reorder()

    @property
    def waiting(self) -> int:
        """Episodes that wait."""
        return sum(line.waiting for line in self._lines.values())

    @property
    def under_way(self) -> int:
        """Episodes leased and not returned."""
        return self._under_way

    @property
    def held_back(self) -> bool:
        """Whether an episode waits for a key that has no capacity left at the moment."""
        return any(line.waiting and not line.capacity.at_most for line in self._lines.values())

    @property
    def left(self) -> dict[str, tuple[int, int]]:
        """Return, for each key, the numbers of its waiting and of its leased episodes."""
        return {key: (line.waiting, line.under_way) for key, line in self._lines.items()}

    def next(self, idle: Sequence[int] = ()) -> Lease | None:
        """Return the episode to start now on one of the `idle` Simulators, which are listed by how
        long they have waited. Return None if there is none, or no use for one more."""
        self._simulators.update(idle)
        bound = self._scene_bound()
        allowed = (line for _, scene, _, line in self._turns if scene < bound)
        ready = list(islice(allowed, KEYS_AHEAD))
        if not ready:
            return None
        line, scene = self._choose(ready, idle)
        ready[0].passed += 1
        line.passed = 0
        lease = line.pop(scene)
        self._moved(line, under_way=1)
        if idle and lease.shows is not None:
            self._drawn_by.setdefault(lease.shows, set()).add(self.simulator_for(lease, idle))
        return lease

    def _scene_bound(self) -> float:
        if self._first_unpaid_scene == inf:
            return inf
        # The earliest scene is always allowed: the real ceiling ends the run, not this estimate.
        lines = [line for line in self._lines.values() if line.waiting and line.capacity.at_most]
        return max(self._first_unpaid_scene, 1 + min((line.scene for line in lines), default=0))

    def simulator_for(self, lease: Lease, idle: Sequence[int]) -> int:
        """Return which of the `idle` Simulators passed to `next` starts the returned episode."""
        drawn_by = self._drawn_by.get(lease.shows or "", ())
        return next((simulator for simulator in idle if simulator in drawn_by), idle[0])

    def _choose(self, ready: Sequence[_Line], idle: Sequence[int]) -> tuple[_Line, int]:
        """Return the line whose turn it is, or a preferred one, and its scene.

        Scenes that only one Simulator has drawn are left to it as long as there are others. A scene
        that no idle Simulator has drawn comes from the line that is farthest behind."""
        # If the money will not last to the end of the plan, it is spent on the earliest scenes.
        if not idle or self._in_order or self._first_unpaid_scene < inf:
            return ready[0], ready[0].scene
        bound = TURNS_PASSED * len(self._simulators)
        near = ready if ready[0].passed < bound else ready[:1]
        shared: tuple[_Line, int] | None = None
        new: tuple[_Line, int] | None = None
        for line in near:
            if line.again:
                return line, line.scene
            for scene, shows in line.ahead(SCENES_AHEAD * len(self._simulators)):
                if shows is None:
                    return line, scene
                drawn_by = self._drawn_by.get(shows)
                if drawn_by is None:
                    new = new or (line, scene)
                elif not drawn_by.isdisjoint(idle):
                    if len(drawn_by) == 1:
                        return line, scene
                    shared = shared or (line, scene)
        last = min(near, key=lambda one: one.scene)
        return shared or new or (last, last.scene)

    def ended(self, lease: Lease) -> None:
        """Count a leased episode as no longer in flight."""
        self._moved(self._line_of(lease), under_way=-1)
        self._unended[lease.scene, lease.spec.cell.model] -= 1

    def put_back(self, lease: Lease) -> None:
        """Queue a leased episode again, before all others of its key."""
        line = self._line_of(lease)
        line.waiting += 1
        line.again.appendleft(lease)
        self._moved(line, under_way=-1)
        if lease.shows is not None:
            # The pictures are lost with the Simulator.
            self._drawn_by.pop(lease.shows, None)

    def play_again(self, lease: Lease) -> None:
        """Queue an ended or withheld episode again, before those never started."""
        line = self._line_of(lease)
        line.waiting += 1
        line.again.append(lease)
        self._moved(line)
        self._unended[lease.scene, lease.spec.cell.model] += 1

    def withhold(self, which: Callable[[Lease], bool]) -> list[Lease]:
        """Remove and return the waiting episodes that `which` selects."""
        removed: list[Lease] = []

        def stays(lease: Lease) -> bool:
            if which(lease):
                self._unended[lease.scene, lease.spec.cell.model] -= 1
                removed.append(lease)
                return False
            return True

        for line in self._lines.values():
            line.keep(stays)
        self._reorder()
        return removed

    def expect(self, capacities: Mapping[str, Capacity]) -> None:
        """Set how many episodes each key can use, as far as known now."""
        for key, capacity in capacities.items():
            if key in self._lines:
                self._lines[key].capacity = capacity
        self._reorder()

    def pay_for(self, left_usd: float, mean_usd: Mapping[str, float]) -> None:
        """Hold back models that would spend money on new scenes that others need for earlier ones.

        No scene starts unless `left_usd` can pay for it in all cells after all earlier scenes. So a
        sweep that runs out of money compares models on equal scenes.

        Args:
            mean_usd: model → mean cost of an episode; absent if unknown or free so far.
        """
        self._first_unpaid_scene = inf
        for (scene, model), episodes in sorted(self._unended.items()):
            left_usd -= episodes * mean_usd.get(model, 0.0)
            if left_usd < 0.0:
                self._first_unpaid_scene = scene
                return

    def _line_of(self, lease: Lease) -> _Line:
        model = lease.spec.cell.model
        key = self._limit_key_of.get(model, model)
        return self._lines.setdefault(key, _Line(len(self._lines)))

    def _moved(self, line: _Line, *, under_way: int = 0) -> None:
        """Move a line that has changed to its place in the order of turns."""
        line.under_way += under_way
        self._under_way += under_way
        if line.turn is not None:
            del self._turns[bisect_left(self._turns, line.turn)]
        line.turn = line.next_turn()
        if line.turn is not None:
            insort(self._turns, line.turn)

    def _reorder(self) -> None:
        for line in self._lines.values():
            line.turn = line.next_turn()
        self._turns = sorted(line.turn for line in self._lines.values() if line.turn is not None)
