"""A batch that asks still join: its lines on disk, and who is in it."""

from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import BinaryIO, TypeAlias, cast
from uuid import uuid4

from mirror_ray.core.identity import content_hash
from mirror_ray.core.types import Request
from mirror_ray.providers.batches.service import BatchService, Bounds
from mirror_ray.records.journal.batch_notes import Batch, BatchedAsk

AskKey: TypeAlias = tuple[str, int]


def words_sha_of(request: Request) -> str:
    """Hash of what is asked in words: a reply that is on its way answers only the same words."""
    return content_hash(request.system, request.user)


def _spool() -> BinaryIO:
    return cast("BinaryIO", TemporaryFile())


@dataclass(slots=True)
class OpenBatch:
    """A batch that takes requests. Pictures are kept in a file, since a batch may have 200 MB of
    them.

    Args:
        began_s, latest_s: on a steady clock, when the first and the latest request came.
    """

    began_s: float
    latest_s: float
    key: str = field(default_factory=lambda: uuid4().hex[:24])
    lines: BinaryIO = field(default_factory=_spool)
    asks: list[BatchedAsk] = field(default_factory=list)
    size_bytes: int = 0

    def line(self, service: BatchService, body: bytes) -> bytes:
        """Return the request's line in this batch."""
        return service.line(body, f"{self.key}-{len(self.asks)}")

    def takes(self, line: bytes, bounds: Bounds) -> bool:
        """Whether there is room for it."""
        fits = self.size_bytes + len(line) <= bounds.most_bytes
        return fits and len(self.asks) < bounds.most_asks

    def add(self, request: Request, line: bytes, now_s: float) -> None:
        """Writes it down."""
        self.lines.write(line)
        self.size_bytes += len(line)
        self.latest_s = now_s
        self.asks.append(
            BatchedAsk(request.episode_id, request.ask_index, len(self.asks), words_sha_of(request))
        )

    def intended(self, model: str, began_at: float) -> Batch:
        """Return the note of the batch, written before anything is sent, at Unix time
        `began_at`."""
        self.lines.seek(0)
        return Batch(self.key, model, "intended", None, began_at, tuple(self.asks))
