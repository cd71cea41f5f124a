"""Batches in OpenAI's protocol: a file is uploaded, a batch of it begun, its results read as files.

OpenAI has them, and servers that speak its protocol at a `base_url`.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, BinaryIO

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from mirror_ray.providers.batches.result_lines import bounded_lines, openai_result
from mirror_ray.providers.batches.service import (
    BatchProgress,
    Bounds,
    LostBatchError,
    Result,
    plain_name,
)
from mirror_ray.providers.bounded_body import bounded_body
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.credentials import missing_keys
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.hosted import keys_of
from mirror_ray.providers.hosted_call import call_parameters, request_body
from mirror_ray.providers.hosted_reply import reply_of_exception, without_secrets
from mirror_ray.providers.model import Model
from mirror_ray.providers.redaction import secrets_of
from mirror_ray.types import Reply, Request
from mirror_ray.untrusted import bounded_float

OPENAI = "https://api.openai.com/v1"
MOST_ASKS = 50_000
MOST_BYTES = 200 * 10**6
"""Of one batch's file: OpenAI's batch guide."""

KEY = "mirror_ray_batch"
"""Under which a batch is told our own name of it."""

_CALL_S = 60.0
_FILE_S = 1800.0
_STALL_S = 120.0
_PAGE = 100
_MOST_PAGES = 200
_CLOCKS_DIFFER_S = 3600.0
_CHUNK_BYTES = 2**16
_LOST = frozenset({404, 410})
_ENDS = frozenset({"completed", "failed", "expired", "cancelled"})
_FOR_NOW = ("limit", "capacity", "quota")


class OpenAiBatches:
    """A `BatchService`.

    Args:
        model: at its batch tier.
        beside: other models of the process, whose keys no reply of this one may show either.
    """

    def __init__(self, model: Model, beside: Iterable[Model] = ()) -> None:
        self._model = model
        self._models = (model, *beside)
        self._address = (model.base_url or OPENAI).rstrip("/")
        self._session: aiohttp.ClientSession | None = None

    @property
    def bounds(self) -> Bounds:
        """The maker's, or the entry's."""
        terms = self._model.batch
        if terms is None:
            return Bounds(MOST_ASKS, MOST_BYTES)
        most_bytes = MOST_BYTES if terms.most_mb is None else int(terms.most_mb * 1e6)
        return Bounds(terms.most_asks or MOST_ASKS, most_bytes)

    def line(self, request: Request, custom_id: str) -> bytes:
        """An ask as a line of a batch's file, its end included."""
        parameters = call_parameters(request, self._model)
        body = request_body(parameters, self._model.target.partition("/")[2])
        if self._model.base_url is None and "max_tokens" in body:
            # OpenAI's name for it, which its thinking models insist on.
            body["max_completion_tokens"] = body.pop("max_tokens")
        line = {
            "custom_id": custom_id,
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": body,
        }
        return json.dumps(line).encode() + b"\n"

    async def upload(self, lines: BinaryIO, batch_key: str) -> str:
        """Hands a file over, of which nothing is begun yet; returns the maker's name of it."""
        form = aiohttp.FormData()
        form.add_field("purpose", "batch")
        name = f"mirror-ray-{batch_key}.jsonl"
        form.add_field("file", lines, filename=name, content_type="application/jsonl")
        told = await self._call("POST", "files", within_s=_FILE_S, data=form)
        return plain_name(told.get("id"), "file")

    async def begin(self, upload: str, batch_key: str) -> str:
        """Has an uploaded file begun; returns the maker's name of the batch."""
        wanted = {
            "input_file_id": upload,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {KEY: batch_key},
        }
        told = await self._call("POST", "batches", json=wanted)
        return plain_name(told.get("id"), "batch")

    async def find(self, batch_key: str, began_at: float) -> str | None:
        """The maker's name of a batch that may have been begun, of all since then.

        Raises:
            ConnectionError: there are more than can be looked through.
        """
        after: dict[str, str] = {}
        for _ in range(_MOST_PAGES):
            told = await self._call("GET", "batches", params={"limit": str(_PAGE), **after})
            page = told.get("data")
            page = page if isinstance(page, list) else []
            batches = [one for one in page if isinstance(one, dict)]
            for one in batches:
                metadata = one.get("metadata")
                if isinstance(metadata, dict) and metadata.get(KEY) == batch_key:
                    return plain_name(one.get("id"), "batch")
            if not batches or told.get("has_more") is not True:
                return None
            # Newest first.
            created_at = bounded_float(batches[-1].get("created_at"))
            if created_at is not None and created_at < began_at - _CLOCKS_DIFFER_S:
                return None
            after = {"after": plain_name(batches[-1].get("id"), "batch")}
        raise ConnectionError(f"more than {_PAGE * _MOST_PAGES:,} batches since this one was sent")

    async def progress(self, maker_id: str) -> BatchProgress:
        """How far it is.

        Raises:
            LostBatchError: the maker has none of that name.
        """
        told = await self._call("GET", f"batches/{maker_id}")
        status = told.get("status")
        if not isinstance(status, str) or status not in _ENDS:
            return BatchProgress(ended=False)
        places = [told.get("output_file_id"), told.get("error_file_id")]
        files = tuple(plain_name(place, "file") for place in places if place)
        if status != "failed" or files:
            return BatchProgress(ended=True, results=files)
        why = json.dumps(told.get("errors"))[:2_000]
        for_now = any(word in why.lower() for word in _FOR_NOW)
        return BatchProgress(ended=True, refused=why, for_now=for_now)

    async def results(self, place: str, asks: int) -> AsyncIterator[Result]:
        """What is in one of its files, in any order; lines that are none are left out.

        Raises:
            LostBatchError: the file is gone.
        """
        secrets = secrets_of(self._models, os.environ)
        limits = aiohttp.ClientTimeout(total=_FILE_S, sock_read=_STALL_S)
        headers = {**self._headers(), "Accept-Encoding": "identity"}
        try:
            async with self._client().get(
                self._url(f"files/{place}/content"),
                headers=headers,
                allow_redirects=False,
                timeout=limits,
            ) as response:
                if response.status in _LOST:
                    raise LostBatchError(f"the file {place} is gone")
                if response.status != 200:
                    exchange = Exchange()
                    body = await bounded_body(
                        response.content.iter_any(), response.status, "identity", exchange
                    )
                    raise HttpError(response.status, {}, body.decode("utf-8", "replace"))
                chunks = response.content.iter_chunked(_CHUNK_BYTES)
                async for line in bounded_lines(chunks, 2 * asks + _PAGE):
                    result = openai_result(line, self._model, secrets)
                    if result is not None:
                        yield result
        except (aiohttp.ClientError, HttpProcessingError, OSError) as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error

    async def cancel(self, maker_id: str) -> None:
        """Asks the maker to do no more of it; what is done is billed, and can be read."""
        await self._call("POST", f"batches/{maker_id}/cancel")

    def failed(self, error: BaseException) -> Reply:
        """The reply to each ask of a batch that a failure ended."""
        secrets = secrets_of(self._models, os.environ)
        reply = reply_of_exception(error, secrets, Exchange(), started_at="", latency_s=0.0)
        return without_secrets(reply, secrets)

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()

    async def _call(
        self, method: str, path: str, *, within_s: float = _CALL_S, **sent: Any
    ) -> Mapping[str, Any]:
        """One request and the JSON object of its reply.

        Raises:
            LostBatchError: there is nothing of that name.
            HttpError, RefusedReplyError, ConnectionError: as of a single call.
            TimeoutError: it took too long.
        """
        exchange = Exchange()
        try:
            async with (
                asyncio.timeout(within_s),
                self._client().request(
                    method, self._url(path), headers=self._headers(), allow_redirects=False, **sent
                ) as response,
            ):
                encoding = response.headers.get("Content-Encoding", "identity")
                chunks = response.content.iter_any()
                body = await bounded_body(chunks, response.status, encoding, exchange)
        except (aiohttp.ClientError, HttpProcessingError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            raise ConnectionError(f"{type(error).__name__}: {error}") from error
        if response.status in _LOST and method == "GET":
            raise LostBatchError(body[:200].decode("utf-8", "replace"))
        if response.status // 100 != 2:
            told = {name.lower(): value for name, value in response.headers.items()}
            raise HttpError(response.status, told, body.decode("utf-8", "replace"))
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise ConnectionError("the reply is no JSON object")
        return data

    def _url(self, path: str) -> URL:
        address = f"{self._address}/{path}"
        return URL(address, encoded=address.isascii())

    def _headers(self) -> dict[str, str]:
        unset = missing_keys(self._model, os.environ)
        if unset:
            raise HttpError(401, {}, f"the environment variable {unset[0]} is not set")
        keys = keys_of(self._model)
        headers = {"Accept-Encoding": "gzip"}
        if "api_key" in keys:
            headers["Authorization"] = f"Bearer {keys['api_key']}"
        headers.update(keys.get("extra_headers", {}))
        return headers

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session
