"""Hosted models, through litellm: one request on the wire per attempt.

Knows when to import litellm and how to keep it quiet; does not retry, pace or parse.
"""

import asyncio
import logging
import os
from contextvars import ContextVar
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from mirror_ray.providers.hosted_call import call_parameters
from mirror_ray.providers.hosted_reply import reply_of_completion, reply_of_exception
from mirror_ray.providers.model import Model
from mirror_ray.types import Reply, Request

_NO_KEY = "unused"
"""For servers that ask for none: without it litellm would send them a key of the environment."""


class Hosted:
    """A `Backend` for one model; use it on one event loop."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._litellm = _litellm()
        self._unlogged = _unlogged()
        self._register()

    async def reply(self, request: Request) -> Reply:
        """Exactly one HTTP request, bounded by the model's `timeout_s` as a whole."""
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        variable = self._model.api_key_env
        key = os.environ.get(variable) if variable is not None else None
        if variable is not None and not key:
            error = f"the environment variable {variable} is not set"
            return Reply(text="", error_kind="auth", error=error, started_at=started_at)
        parameters = {**call_parameters(request, self._model), **self._api_key(key)}
        if self._unlogged is not None:
            self._unlogged.set(True)
        start_s = perf_counter()
        try:
            # litellm's own timeout counts per read, and a trickle of bytes outlives it.
            async with asyncio.timeout(self._model.timeout_s):
                completion = await self._litellm.acompletion(**parameters)
            latency_s = perf_counter() - start_s
            return reply_of_completion(completion, self._model, key, started_at, latency_s)
        except TimeoutError:
            error = f"no reply within {self._model.timeout_s:g} s"
            return Reply(
                text="",
                error_kind="timeout",
                error=error,
                latency_s=perf_counter() - start_s,
                started_at=started_at,
            )
        except Exception as error:
            return reply_of_exception(error, key, started_at, perf_counter() - start_s)

    async def aclose(self) -> None:
        """Closes litellm's connections, which all hosted models of the process share.

        Others of them may still be asked: they open new ones.
        """
        await self._litellm.close_litellm_async_clients()
        # litellm would go on to hand out the closed ones.
        self._litellm.in_memory_llm_clients_cache.flush_cache()

    def _api_key(self, key: str | None) -> dict[str, str]:
        """As litellm takes it; nothing for clouds whose credentials litellm finds by itself."""
        if key is None and (self._model.needs_env or self._model.base_url is None):
            return {}
        return {"api_key": key or _NO_KEY}

    def _register(self) -> None:
        """Tells litellm of a model it has no price for; it would search for one on every call."""
        provider, _, name = self._model.target.partition("/")
        known = self._litellm.model_cost
        if self._model.target not in known and name not in known:
            self._litellm.register_model(
                {self._model.target: {"litellm_provider": provider, "mode": "chat"}}
            )


def _unlogged() -> ContextVar[bool] | None:
    """What keeps litellm from drawing up a log record of each call, a sixth of what a call costs.

    Nobody would read it. None where a release has no such thing: calls then only cost more.
    """
    try:
        from litellm._internal_context import is_internal_call  # noqa: PLC0415
    except ImportError:
        return None
    unlogged: ContextVar[bool] = is_internal_call
    return unlogged


def _litellm() -> Any:
    """litellm, offline but for the calls themselves, and silent: logs repeat whole requests."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
    import litellm  # noqa: PLC0415 - seconds and 190 MB, for processes that call it only

    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    litellm.drop_params = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm
