"""Steps and pictures of a run, summed over Simulators that may restart, and the recent rate."""

from collections import deque
from time import monotonic

from mirror_ray.engine.driver.model_counts import ResettableCounter

_RATE_WINDOW_S = 15.0


class SimulatorCounts:
    """What all Simulators of a run have counted."""

    def __init__(self) -> None:
        self._steps = ResettableCounter()
        self._drawn, self._reused = ResettableCounter(), ResettableCounter()
        self._recent: deque[tuple[float, float]] = deque([(monotonic(), 0.0)])

    def read(self, index: int, steps: int, drawn: int = 0, reused: int = 0) -> None:
        """Take over what a Simulator has counted since its process began.

        Args:
            steps: requests answered live.
            drawn: pictures that it rendered.
            reused: pictures shown again without being drawn.
        """
        self._steps.read(index, steps)
        self._drawn.read(index, drawn)
        self._reused.read(index, reused)
        now_s = monotonic()
        self._recent.append((now_s, self._steps.total))
        # At least the window, also after a pause without readings.
        while len(self._recent) > 2 and now_s - self._recent[1][0] > _RATE_WINDOW_S:
            self._recent.popleft()

    @property
    def steps(self) -> int:
        """Requests answered live in this run."""
        return int(self._steps.total)

    @property
    def pictures_drawn(self) -> int:
        """Pictures drawn in this run."""
        return int(self._drawn.total)

    @property
    def pictures_reused(self) -> int:
        """Pictures of this run that had been drawn for an earlier request."""
        return int(self._reused.total)

    @property
    def steps_per_s(self) -> float:
        """Live requests per second, over the last seconds."""
        (first_s, first), (last_s, last) = self._recent[0], self._recent[-1]
        return (last - first) / (last_s - first_s) if last_s > first_s else 0.0
