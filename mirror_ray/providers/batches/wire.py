"""HTTP to a provider of batches: one request, the JSON object of its reply, files line by line."""

import asyncio
import os
import zlib
from collections.abc import AsyncGenerator, Mapping
from typing import Any, ClassVar

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import Reply
from mirror_ray.providers.batches.result_lines import bounded_lines
from mirror_ray.providers.batches.service import Bounds, LostBatchError, bounds_of
from mirror_ray.providers.bounded_body import bounded_body
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.credentials import missing_keys
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.failed_call import reply_of_exception
from mirror_ray.providers.hosted import keys_of
from mirror_ray.providers.hosted_reply import without_secrets
from mirror_ray.providers.model import Model
from mirror_ray.providers.redaction import Secrets, secrets_of

FILE_S = 1800.0
"""The longest that the transfer of one file may take."""

PAGE_SIZE = 100
MOST_PAGES = 200
"""Most pages read of a list of batches."""

CLOCKS_DIFFER_S = 86_400.0
"""Most difference from the provider's clock: a wrong time zone is half a day."""

_CALL_S = 60.0
_STALL_S = 120.0
_CHUNK_BYTES = 2**16
_LINES_PER_ASK, _LINES_BESIDE = 100, 100_000
"""Lines of unknown requests are skipped; a file's time limit bounds them, too."""
_LOST = frozenset({404, 410})


class Wire:
    """One provider's server; used on one event loop. Failures are raised as by single calls, for
    `failed` to read.

    Args:
        known: secrets of the process's other models, which no reply may show either.
    """

    def __init__(self, model: Model, known: frozenset[str]) -> None:
        self._model, self._known = model, known
        self._session: aiohttp.ClientSession | None = None

    @property
    def secrets(self) -> Secrets:
        """The values that must not appear in any reply."""
        return secrets_of(self._model, os.environ, self._known)

    async def call(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str],
        *,
        within_s: float = _CALL_S,
        **sent: Any,
    ) -> Mapping[str, Any]:
        """Make one request and return the JSON object of its reply.

        Raises:
            LostBatchError: nothing of that name exists.
            HttpError, RefusedReplyError, ConnectionError: as of a single call.
            TimeoutError: it took too long.
        """
        _, body = await self.exchange(method, address, headers, within_s=within_s, **sent)
        try:
            data = parse_json(body)
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise ConnectionError("the reply is not a JSON object")
        return data

    async def exchange(
        self,
        method: str,
        address: str,
        headers: Mapping[str, str],
        *,
        within_s: float = _CALL_S,
        **sent: Any,
    ) -> tuple[Mapping[str, str], bytes]:
        """Make one request; return headers, by lower-case names, and body of its reply. Raises as
        `call`."""
        exchange = Exchange()
        given = {"Accept-Encoding": "gzip", **headers}
        try:
            async with (
                asyncio.timeout(within_s),
                self._client().request(
                    method, _url(address), headers=given, allow_redirects=False, **sent
                ) as response,
            ):
                encoding = response.headers.get("Content-Encoding", "identity")
                chunks = response.content.iter_any()
                body = await bounded_body(chunks, response.status, encoding, exchange)
        except TimeoutError:
            raise
        except (aiohttp.ClientError, HttpProcessingError, OSError, zlib.error) as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error
        if response.status in _LOST and method == "GET":
            raise LostBatchError(body[:200].decode("utf-8", "replace"))
        told = {name.lower(): value for name, value in response.headers.items()}
        if response.status // 100 != 2:
            raise HttpError(response.status, told, body.decode("utf-8", "replace"))
        return told, body

    async def lines(
        self, address: str, headers: Mapping[str, str], asks: int
    ) -> AsyncGenerator[bytes]:
        """Yield the lines of a file of results of so many requests; LostBatchError if it is
        gone."""
        limits = aiohttp.ClientTimeout(total=FILE_S, sock_read=_STALL_S)
        given = {**headers, "Accept-Encoding": "identity"}
        try:
            async with self._client().get(
                _url(address), headers=given, allow_redirects=False, timeout=limits
            ) as response:
                if response.status in _LOST:
                    raise LostBatchError("the results are gone")
                if response.status != 200:
                    body = await bounded_body(
                        response.content.iter_any(), response.status, "identity", Exchange()
                    )
                    raise HttpError(response.status, {}, body.decode("utf-8", "replace"))
                chunks = response.content.iter_chunked(_CHUNK_BYTES)
                async for line in bounded_lines(chunks, _LINES_PER_ASK * asks + _LINES_BESIDE):
                    yield line
        except (aiohttp.ClientError, HttpProcessingError, OSError) as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error

    def failed(self, error: BaseException) -> Reply:
        """Return the reply to each request of a failed batch: kind, one line without secrets."""
        secrets = self.secrets
        reply = reply_of_exception(error, secrets, Exchange(), started_at="", latency_s=0.0)
        return without_secrets(reply, secrets)

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session


def _url(address: str) -> URL:
    return URL(address, encoded=address.isascii())


class WiredBatches:
    """The common part of all providers' `BatchService`s.

    Args:
        model: at its batch tier.
        known: secrets of the process's other models, which no reply may show either.
    """

    MOST: ClassVar[Bounds]
    """The bounds of one batch, by the provider's guide."""

    def __init__(self, model: Model, known: frozenset[str] = frozenset()) -> None:
        self._model = model
        self._wire = Wire(model, known)

    @property
    def bounds(self) -> Bounds:
        """The provider's limits, or the entry's."""
        return bounds_of(self._model, self.MOST)

    def failed(self, error: BaseException) -> Reply:
        """Return the reply to each request of a failed batch."""
        return self._wire.failed(error)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._wire.aclose()


def asking_keys(model: Model) -> dict[str, Any]:
    """The keys with which a model is asked; HttpError where one is not set."""
    if unset := missing_keys(model, os.environ):
        raise HttpError(401, {}, f"the environment variable {unset[0]} is not set")
    return keys_of(model)


def objects_in(told: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list in a reply; anything else is left out."""
    listed = told.get(key)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
