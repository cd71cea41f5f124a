"""Own servers, which speak OpenAI's protocol, asked over plain HTTP: no litellm in between.

vLLM, SGLang, llama.cpp and Ollama all do. A call costs a fraction of litellm's CPU time
(`benchmarks/providers.py`), and a process that asks such servers only never imports it.
"""

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from mirror_ray.providers.bounded_body import ACCEPTED_ENCODING, MOST_FAILURE_BYTES, bounded_body
from mirror_ray.providers.completion_body import plain_body
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.hosted_call import OWN_SERVERS, call_parameters
from mirror_ray.providers.hosted_reply import http_code
from mirror_ray.providers.model import Model
from mirror_ray.types import Request

_NOT_SENT = frozenset(
    {"timeout", "max_retries", "num_retries", "api_base", "extra_body", "extra_headers"}
)
_THOUGHTS = re.compile(r"<(think|thinking)>")


class HttpError(Exception):
    """The server answered with a failure.

    Args:
        body: the beginning of what it said.
    """

    def __init__(self, status: int, headers: Mapping[str, str], body: str) -> None:
        super().__init__(body or f"status {status}")
        self.status_code = status
        self.response_headers = dict(headers)


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
                self._address, data=self._body(parameters), headers=headers, allow_redirects=False
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
        sent = {name: value for name, value in parameters.items() if name not in _NOT_SENT}
        sent["model"] = self._model.target.removeprefix(OWN_SERVERS)
        return json.dumps({**sent, **parameters.get("extra_body", {})}).encode()


def completion_of(body: bytes, headers: Mapping[str, str], exchange: Exchange) -> Mapping[str, Any]:
    """The reply's fields where `hosted_reply` looks for them.

    Raises:
        HttpError: it reports a failure.
        RefusedReplyError: it is no completion; `exchange` says why.
    """
    plain, exchange.ignored = plain_body(body, MOST_FAILURE_BYTES)
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        said = plain[:200].decode("utf-8", "replace")
        raise exchange.refuse("server", f"the reply is no JSON object: {said}")
    choices = data.get("choices")
    if not choices:
        if data.get("error"):
            code = data["error"].get("code") if isinstance(data["error"], dict) else None
            raise HttpError(http_code(code) or 500, headers, json.dumps(data["error"]))
        if not isinstance(choices, list):
            raise exchange.refuse("server", "the provider sent no choices")
    hidden = {"additional_headers": headers}
    trouble = {"error": data["error"]} if data.get("error") else {}
    return {**data, "choices": [_choice(one, trouble) for one in choices], "_hidden_params": hidden}


def _choice(choice: Mapping[str, Any], trouble: Mapping[str, Any]) -> Mapping[str, Any]:
    message = dict(choice["message"])
    thoughts = message.get("reasoning_content") or message.get("reasoning")
    if thoughts is None:
        thoughts, message["content"] = _parted(message["content"])
    message["reasoning_content"] = thoughts
    message["provider_specific_fields"] = {"refusal": message.get("refusal")}
    return {**choice, "message": message, "provider_specific_fields": {**trouble, **choice}}


def _parted(content: str | None) -> tuple[str | None, str | None]:
    """Thoughts that open a text, and what follows them."""
    opening = _THOUGHTS.match(content or "")
    if content is None or opening is None:
        return None, content
    closing = f"</{opening[1]}>"
    end = content.find(closing, opening.end())
    if end < 0:
        return None, content
    return content[opening.end() : end], content[end + len(closing) :]
