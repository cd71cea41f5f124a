"""What a maker's batches have in common, whichever protocol they are asked by."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from mirror_ray.core.types import ErrorKind, Reply, Request
from mirror_ray.providers.model import Model

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}")


class LostBatchError(Exception):
    """The maker has no such batch, or its results no more."""


class UndecidedBatchError(Exception):
    """Whether the maker has a batch cannot be told before another one has ended."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that one batch of a maker holds; bytes of its file."""

    most_asks: int
    most_bytes: int


@dataclass(frozen=True, slots=True)
class SoughtBatch:
    """A batch that may have been begun, of which nobody knows the maker's name.

    Args:
        batch_key: our own name of it, which begins the names of its asks.
        began_at: Unix time; it was not begun before.
        asks: it has so many at least.
        known: the maker's names of batches that are others.
    """

    batch_key: str
    began_at: float
    asks: int
    known: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """A batch as its maker describes it.

    Args:
        ended: nothing more will come of it.
        results: where its results are to be read, in the maker's words.
        refused: why the maker did not begin it; None where it did.
        refused_as: the error kind of the refusal; "shed" if the batch may be sent again later.
        unreached: why the maker came to some asks no more, which then are not billed; None: it
            came to all.
    """

    ended: bool
    results: tuple[str, ...] = ()
    refused: str | None = None
    refused_as: ErrorKind = "bad_request"
    unreached: str | None = None

    @property
    def for_now(self) -> bool:
        """Whether the batch was refused only for now and may be sent again unchanged."""
        return self.refused is not None and self.refused_as == "shed"


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a batch's results.

    Args:
        custom_id: whose it is, by the maker's word.
    """

    custom_id: str
    reply: Reply


class BatchService(Protocol):
    """A maker's batches, for one model; use it on one event loop.

    What fails is raised as by an endpoint of single calls, for `failed` to read.
    """

    @property
    def bounds(self) -> Bounds:
        """The most that one batch holds."""

    async def body(self, request: Request) -> bytes:
        """An ask as a batch has it, without its name there; words and pictures are those of a
        single call."""

    def line(self, body: bytes, custom_id: str) -> bytes:
        """An ask as a line of a batch's file, its end included."""

    async def upload(self, lines: BinaryIO, batch_key: str) -> str:
        """Hands a file over, of which nothing is begun yet; returns the maker's name of it."""

    async def begin(self, upload: str, lines: BinaryIO, batch_key: str) -> str:
        """Has a batch begun; returns the maker's name of it.

        Args:
            lines: as `upload` was given them, for makers who take no file.
        """

    async def find(self, sought: SoughtBatch) -> str | None:
        """The maker's name of a batch that may have been begun; None where none is listed.

        Raises:
            UndecidedBatchError: one that is listed may be it, and tells only when it has ended.
        """

    async def progress(self, maker_id: str) -> BatchProgress:
        """How far it is.

        Raises:
            LostBatchError: the maker has none of that name.
        """

    def results(self, place: str, asks: int) -> AsyncIterator[Result]:
        """What is at one place of a batch's results, in any order.

        Args:
            asks: of the batch; how many lines are read at most follows from it.

        Raises:
            LostBatchError: nothing is there any more.
        """

    async def cancel(self, maker_id: str) -> None:
        """Asks the maker to do no more of it; what is done is billed, and can be read."""

    def failed(self, error: BaseException) -> Reply:
        """The reply to each ask of a batch that a failure ended: kind, one line without secrets."""

    async def aclose(self) -> None:
        """Closes the connections."""


def bounds_of(model: Model, makers: Bounds) -> Bounds:
    """The maker's bounds, or the entry's own."""
    terms = model.batch
    if terms is None:
        return makers
    most_bytes = makers.most_bytes if terms.most_mb is None else int(terms.most_mb * 1e6)
    return Bounds(terms.most_asks or makers.most_asks, most_bytes)


def plain_name(value: object, what: str) -> str:
    """A maker's name of a thing, which becomes part of an address.

    Raises:
        ConnectionError: it is none.
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ConnectionError(f"the server's reply names no {what}")
    return value
