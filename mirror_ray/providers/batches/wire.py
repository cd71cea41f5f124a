"""HTTP to a provider of batches: one request, the JSON object in its reply, files line by line."""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar

import aiohttp

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import Reply
from mirror_ray.providers.batches.result_lines import bounded_lines, inflated
from mirror_ray.providers.batches.service import Bounds, LostBatchError
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.credentials import missing_keys
from mirror_ray.providers.exchange import Exchange, bounded_body
from mirror_ray.providers.failed_call import reply_of_exception
from mirror_ray.providers.hosted import keys_of
from mirror_ray.providers.hosted_reply import without_secrets
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Model
from mirror_ray.providers.redaction import Secrets, secrets_of

FILE_S = 1800.0
"""The longest that the transfer of one file may take."""

PAGE_SIZE = 100
MOST_PAGES = 200
"""The most pages that are read of a list of batches."""

CLOCKS_DIFFER_S = 86_400.0
"""The largest difference from the provider's clock; a wrong time zone is half a day."""

_CALL_S = 60.0
_STALL_S = 120.0
_CHUNK_BYTES = 2**16
_LINES_PER_ASK, _LINES_BESIDE = 100, 100_000
"""Lines of unknown requests are skipped; a file's time limit bounds them, too."""
_LOST = frozenset({404, 410})


class WiredBatches:
    """The common part of all providers' `BatchService`s.

    Args:
        model: at its batch tier.
        known: secrets of the process's other models, which no reply may show either.
    """

    MOST: ClassVar[Bounds]
    """The bounds of one batch, by the provider's guide."""

    def __init__(self, model: Model, known: frozenset[str] = frozenset()) -> None:
        self._model, self._known = model, known
        self._client = HttpClient()

    @property
    def bounds(self) -> Bounds:
        """The provider's limits, or the entry's."""
        terms = self._model.batch
        if terms is None:
            return self.MOST
        most_bytes = self.MOST.most_bytes if terms.most_mb is None else int(terms.most_mb * 1e6)
        return Bounds(terms.most_asks or self.MOST.most_asks, most_bytes)

    def failed(self, error: BaseException) -> Reply:
        """Return the reply to each request of a failed batch: its kind, and one line without
        secrets."""
        return without_secrets(reply_of_exception(error, self._secrets, Exchange()), self._secrets)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    @property
    def _secrets(self) -> Secrets:
        return secrets_of(self._model, os.environ, self._known)

    def _keys(self) -> dict[str, Any]:
        if unset := missing_keys(self._model, os.environ):
            raise HttpError(401, {}, f"the environment variable {unset[0]} is not set")
        return keys_of(self._model)

    async def _object(
        self, method: str, address: str, headers: Mapping[str, str], **sent: Any
    ) -> Mapping[str, Any]:
        """Make one request and return the JSON object in its reply; raises the errors of
        `_exchange`."""
        _, body = await self._exchange(method, address, headers, **sent)
        try:
            data = parse_json(body)
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise ConnectionError("the reply is not a JSON object")
        return data

    async def _exchange(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str],
        *,
        within_s: float = _CALL_S,
        **sent: Any,
    ) -> tuple[Mapping[str, str], bytes]:
        """Make one request; return the reply's headers, by lower-case names, and its body.

        Raises:
            LostBatchError: nothing of that name exists.
            HttpError, RefusedReplyError, ConnectionError: as for a single call.
            TimeoutError: it took longer than `within_s`.
        """
        try:
            async with asyncio.timeout(within_s):
                return await self._client.exchange(method, address, headers, Exchange(), **sent)
        except HttpError as error:
            if error.status_code in _LOST and method == "GET":
                raise LostBatchError(str(error)[:200]) from error
            raise

    async def _lines(
        self, address: str, headers: Mapping[str, str], asks: int
    ) -> AsyncGenerator[bytes]:
        """Yield the lines of a file of `asks` results. Raise LostBatchError if it is gone."""
        limits = aiohttp.ClientTimeout(total=FILE_S, sock_read=_STALL_S)
        given = {**headers, "Accept-Encoding": "identity"}
        async with self._client.response("GET", address, given, timeout=limits) as response:
            if response.status in _LOST:
                raise LostBatchError("the results are gone")
            content, status = response.content, response.status
            if status != 200:
                body = await bounded_body(content.iter_any(), status, "identity", Exchange())
                raise HttpError(status, {}, body.decode("utf-8", "replace"))
            most_lines = _LINES_PER_ASK * asks + _LINES_BESIDE
            chunks = inflated(content.iter_chunked(_CHUNK_BYTES))
            async for line in bounded_lines(chunks, most_lines):
                yield line


def objects_in(told: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the objects in a list of a reply; everything else is left out."""
    listed = told.get(key)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
