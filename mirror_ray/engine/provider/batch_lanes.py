"""The batch lanes of a Provider, and the notes that the Recorder keeps for them."""

from collections.abc import Callable, Sequence

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.actor_calls import Actor, retry_until_restarted
from mirror_ray.engine.provider.batch_lane import BatchLane
from mirror_ray.providers.batches.service import service_for
from mirror_ray.providers.model import Model
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.records.journal.batch_notes import Batch


class RecorderBatchLog:
    """A `BatchLog` in the Recorder's journal."""

    def __init__(self, recorder: Actor) -> None:
        self._recorder = recorder

    async def note(self, batch: Batch) -> None:
        """Note durably the state of a batch."""
        await retry_until_restarted(self._recorder.note_batch, "noting a batch", batch)

    async def unanswered(self) -> Sequence[Batch]:
        """Return the batches with requests whose replies are not recorded."""
        batches: Sequence[Batch] = await retry_until_restarted(
            self._recorder.batches, "reading which batches are out"
        )
        return batches


class BatchLanes:
    """A lane for each model that is called in batches, or has some out from an earlier run.

    Args:
        known: secrets of all models, which no reply may show.
        cancels: whether stopping the run cancels its batches.
        on_trouble: called with a model's name and a failure that changes no reply.
    """

    def __init__(
        self,
        known: frozenset[str],
        recorder: Actor,
        *,
        cancels: bool,
        on_trouble: Callable[[str, Reply], None],
    ) -> None:
        self._known = known
        self._log = RecorderBatchLog(recorder)
        self._cancels, self._on_trouble = cancels, on_trouble
        self._lanes: dict[str, BatchLane] = {}
        self._out: frozenset[str] | None = None

    def of(self, lane: Model) -> BatchLane:
        """Return the lane of a model at its batch tier."""
        found = self._lanes.get(lane.name)
        if found is None:
            found = self._lanes[lane.name] = BatchLane(
                lane,
                service_for(lane, self._known),
                self._log,
                cancels=self._cancels,
                on_trouble=lambda reply: self._on_trouble(lane.name, reply),
            )
        return found

    async def holding(self, model: Model, request: Request) -> BatchLane | None:
        """Return the lane with a request of a model that is now called in another way, if any."""
        if model.batch is None or model.tier == "batch":
            return None
        if self._out is None:
            self._out = frozenset(
                one.model for one in await self._log.unanswered() if one.state != "intended"
            )
        if model.name not in self._out:
            return None
        lane = self.of(at_tier(model, "batch"))
        return lane if await lane.holds(request) else None

    def stop(self) -> None:
        """Send no further batch."""
        for lane in self._lanes.values():
            lane.stop()

    async def aclose(self) -> None:
        """Stop following sent batches."""
        for lane in self._lanes.values():
            await lane.aclose()
