"""The interface of a provider's batches, and the choice of a model's protocol."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.hosted_call import OWN_SERVERS
from mirror_ray.providers.model import Model

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}")


class LostBatchError(Exception):
    """The provider does not know the batch, or has deleted its results."""


class UndecidedBatchError(Exception):
    """It is unknown, until another batch has ended, whether the provider has this batch."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one batch at a provider; bytes are those of its file."""

    most_asks: int
    most_bytes: int


@dataclass(frozen=True, slots=True)
class SoughtBatch:
    """A batch that may have been begun under an unknown name.

    Args:
        batch_key: our own name of it, a prefix of its requests' names.
        began_at: Unix time; the batch was not begun before.
        asks: its least number of requests.
        known: the provider's names of other batches.
    """

    batch_key: str
    began_at: float
    asks: int
    known: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """A batch as its provider describes it.

    Args:
        results: where to read its results, in the provider's terms.
        refused: why the provider did not begin it, if so.
        refused_as: the error kind of the refusal; "shed" if the batch may be sent again later.
        unreached: why the provider did not process some requests, which are not billed.
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
class BatchResult:
    """One line of a batch's results; `custom_id` identifies the request."""

    custom_id: str
    reply: Reply


class BatchService(Protocol):
    """One model's batches, on one event loop. `failed` interprets the exceptions that it raises."""

    @property
    def bounds(self) -> Bounds:
        """The limits of one batch."""

    async def body(self, request: Request) -> bytes:
        """Return a request's body for a batch: that of a single call, without its name."""

    def line(self, body: bytes, custom_id: str) -> bytes:
        """Return a request's line in a batch's file, with its line end."""

    async def upload(self, lines: BinaryIO, batch_key: str) -> str:
        """Upload a file; return the provider's name of it."""

    async def begin(self, upload: str, lines: BinaryIO, batch_key: str) -> str:
        """Begin a batch; return its name at the provider. Services without uploads send `lines`."""

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the provider's name of a batch that may have been begun; None if none is listed.
        Raise UndecidedBatchError if a listed batch may be it, which is known only when that has
        ended."""

    async def progress(self, maker_id: str) -> BatchProgress:
        """Return the batch's state. Raise LostBatchError if it is unknown."""

    def results(self, place: str, asks: int) -> AsyncIterator[BatchResult]:
        """Yield the results at one address of a batch, in any order. `asks`, the batch's number of
        requests, bounds the lines. Raise LostBatchError if nothing is there any more."""

    async def cancel(self, maker_id: str) -> None:
        """Cancel the batch; finished requests are billed, and can be read."""

    def failed(self, error: BaseException) -> Reply:
        """Return the reply to each request of a failed batch: its kind, and one line without
        secrets."""

    async def aclose(self) -> None:
        """Close the connections."""


def not_reached(why: str) -> Reply:
    """Return the reply to a request that a batch did not process, which is not billed."""
    said = f"the batch ended before the provider came to it: {why}"
    return Reply("", error_kind="shed", error=said, cost_usd=0.0)


def plain_name(value: object, what: str) -> str:
    """Return a provider's name of a thing. Raise ConnectionError if it cannot be part of an
    address."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ConnectionError(f"the server's reply names no {what}")
    return value


SUPPORTED = (
    "openai/…, anthropic/… and gemini/…, and hosted_vllm/… with a base_url that has OpenAI's"
    " /files and /batches"
)
ANTHROPIC, GEMINI = "anthropic/", "gemini/"
_MAKERS = ("openai/", ANTHROPIC, GEMINI)


def has_batches(model: Model) -> bool:
    """Return whether the batch protocol of the model's provider is supported."""
    if model.plugin is not None:
        return False
    if model.target.startswith(_MAKERS):
        return True
    return model.target.startswith(OWN_SERVERS) and model.base_url is not None


def service_for(model: Model, known: frozenset[str] = frozenset()) -> BatchService:
    """Return the batches of a model's provider; imports the HTTP client, and litellm if it is used.

    Args:
        model: the model at its batch tier.
        known: secrets of other models, which no reply may show either.
    """
    if model.target.startswith(ANTHROPIC):
        from mirror_ray.providers.batches.anthropic_batches import AnthropicBatches  # noqa: PLC0415

        return AnthropicBatches(model, known)
    if model.target.startswith(GEMINI):
        from mirror_ray.providers.batches.gemini_batches import GeminiBatches  # noqa: PLC0415

        return GeminiBatches(model, known)
    from mirror_ray.providers.batches.openai_batches import OpenAiBatches  # noqa: PLC0415

    return OpenAiBatches(model, known)
