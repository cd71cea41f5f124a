"""Own servers, which speak OpenAI's protocol, asked over plain HTTP: no litellm in between.

vLLM, SGLang, llama.cpp and Ollama all do. A call costs a fraction of litellm's CPU time
(`benchmarks/providers.py`), and a process that asks such servers only never imports it.
"""

import json
import zlib
from collections.abc import Mapping
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from mirror_ray.core.types import Request
from mirror_ray.providers.bounded_body import ACCEPTED_ENCODING, bounded_body
from mirror_ray.providers.chat_completion import HttpError, completion_of
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.hosted_call import OWN_SERVERS, call_parameters, request_body
from mirror_ray.providers.model import Model
from mirror_ray.providers.redirections import proxy_for


class OpenAiEndpoint:
    """A server's address; use it on one event loop.

    Args:
        model: with a `base_url`.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        address = f"{(model.base_url or '').rstrip('/')}/chat/completions"
        # As the catalogue has it: quoting some characters anew would ask another path.
        self._address = URL(address, encoded=address.isascii())
        self._proxy = proxy_for(address)
        self._session: aiohttp.ClientSession | None = None

    async def completion(
        self, request: Request, keys: Mapping[str, Any], exchange: Exchange
    ) -> Mapping[str, Any]:
        """One POST, and the completion in its reply: typed fields only.

        Raises:
            HttpError: the server refuses the call, or fails.
            RefusedReplyError: a redirect, or a reply that is none; `exchange` says why.
            ConnectionError: the connection broke.
        """
        headers = {"Content-Type": "application/json", "Accept-Encoding": ACCEPTED_ENCODING}
        if "api_key" in keys:
            headers["Authorization"] = f"Bearer {keys['api_key']}"
        parameters = call_parameters(request, self._model)
        headers |= {**parameters.get("extra_headers", {}), **keys.get("extra_headers", {})}
        try:
            async with self._client().post(
                self._address,
                data=self._body(parameters),
                headers=headers,
                allow_redirects=False,
                proxy=self._proxy,
            ) as response:
                exchange.status = response.status
                encoding = response.headers.get("Content-Encoding", "identity")
                chunks = response.content.iter_any()
                body = await bounded_body(chunks, response.status, encoding, exchange)
        except (aiohttp.ClientError, HttpProcessingError, zlib.error, OSError) as error:
            raise ConnectionError(f"{type(error).__name__}: {error}") from error
        told = {name.lower(): value for name, value in response.headers.items()}
        if response.status // 100 != 2:
            raise HttpError(response.status, told, body.decode("utf-8", "replace"))
        return completion_of(body, told, exchange)

    async def aclose(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            # The Limiter bounds the calls; the attempt has a bound on its whole time.
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    def _body(self, parameters: Mapping[str, Any]) -> bytes:
        name = self._model.target.removeprefix(OWN_SERVERS)
        return json.dumps(request_body(parameters, name)).encode()
