"""Hosted providers, called through litellm, which is imported late and silenced here."""

import gc
import logging
import os
import warnings
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from mirror_ray.core.types import Request
from mirror_ray.providers.exchange import EXCHANGE, Exchange, RefusedReplyError
from mirror_ray.providers.hosted_call import call_parameters
from mirror_ray.providers.http_call import HttpCall
from mirror_ray.providers.model import Model


class LitellmEndpoint:
    """A model as litellm reaches it, used on one event loop."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._litellm = _litellm()
        self._unlogged = _unlogged()
        self._register()

    async def completion(
        self, request: Request, keys: Mapping[str, Any], exchange: Exchange
    ) -> Any:
        """Make one request through litellm; `hosted_reply` reads what it raises."""
        parameters = {**call_parameters(request, self._model), **keys}
        if self._unlogged is not None:
            self._unlogged.set(True)
        EXCHANGE.set(exchange)
        return await self._litellm.acompletion(**parameters)

    async def aclose(self) -> None:
        """Close litellm's connections, which all its models here share; other calls open new
        ones."""
        await self._litellm.close_litellm_async_clients()
        # litellm would otherwise keep returning the closed ones.
        self._litellm.in_memory_llm_clients_cache.flush_cache()

    def trust(self) -> Any:
        """Return the certificates that litellm trusts, in the form of aiohttp's `ssl`."""
        from litellm.llms.custom_httpx.http_handler import get_ssl_configuration  # noqa: PLC0415 - as litellm

        return get_ssl_configuration()

    def with_price(self, completion: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the completion with litellm's estimate of its cost if the entry has no price."""
        usage = completion.get("usage")
        if self._model.usd_per_mtok_in is not None or self._model.base_url is not None or not usage:
            return completion
        if usage.get("cost") is not None:
            return completion
        try:
            usd = self._litellm.completion_cost(
                self._litellm.ModelResponse(
                    model=completion.get("model"),
                    usage=self._litellm.Usage(**usage),
                    service_tier=completion.get("service_tier"),
                ),
                model=self._model.target,
            )
        except Exception:
            return completion
        hidden = {**completion["_hidden_params"], "response_cost": usd}
        return {**completion, "_hidden_params": hidden}

    def _register(self) -> None:
        provider, _, name = self._model.target.partition("/")
        known = self._litellm.model_cost
        if self._model.target not in known and name not in known:
            self._litellm.register_model(
                {self._model.target: {"litellm_provider": provider, "mode": "chat"}}
            )


def _unlogged() -> ContextVar[bool] | None:
    try:
        from litellm._internal_context import is_internal_call  # noqa: PLC0415
    except ImportError:
        return None
    unlogged: ContextVar[bool] = is_internal_call
    return unlogged


def _litellm() -> Any:
    """Import litellm, silenced (its logs repeat requests) and with no network access except
    calls."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
    was_enabled = gc.isenabled()
    # Garbage collection takes a quarter of the import.
    gc.disable()
    try:
        import litellm  # noqa: PLC0415 - seconds and 190 MB, for processes that call it only
    finally:
        if was_enabled:
            gc.enable()
    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    litellm.drop_params = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # These logs quote the server's text.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
    from mirror_ray.providers.guarded_http import guard_litellm  # noqa: PLC0415 - as litellm

    guard_litellm()
    return litellm


_OF_THE_CONNECTION = frozenset(
    {"accept-encoding", "connection", "content-length", "host", "transfer-encoding"}
)


async def written_call(
    endpoint: LitellmEndpoint, request: Request, keys: Mapping[str, Any]
) -> HttpCall | None:
    """Return the call by which litellm would send a request; None if it would send none. Raises
    what litellm raises."""
    kept: list[HttpCall] = []

    def keep(address: str, headers: Mapping[str, str], body: bytes) -> bytes:
        given = {name.lower(): value for name, value in headers.items()}
        own = {name: value for name, value in given.items() if name not in _OF_THE_CONNECTION}
        kept.append(HttpCall(address, own, body))
        raise RefusedReplyError("the call is not made")

    try:
        await endpoint.completion(request, keys, Exchange(stand_in=keep))
    except Exception:
        if not kept:
            raise
    return kept[0] if kept else None
