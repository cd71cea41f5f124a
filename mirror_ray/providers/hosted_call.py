"""Turns a request into a call's parameters, in litellm's names: vision message, schema, sampling.
Pure: it imports no litellm and reads no key."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.core.identity import content_hash
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.types import Facts, Image, Request
from mirror_ray.providers.model import Model
from mirror_ray.providers.price_tiers import SENT
from mirror_ray.reading.parsing import ANY_OBJECT

OWN_SERVERS = "hosted_vllm/"
"""Prefix of targets that need no litellm if a base_url states their address."""

_SAID = shipped_yaml("mirror_ray.providers", "litellm_words.yaml")
_OPENAI_PROTOCOL = tuple(_SAID["openai_protocol"])
_WRITES, _SENDS, _OF_THE_CALL, SET_BY_REQUESTS = (
    frozenset(_SAID[name]) for name in ("writes", "sends", "of_the_call", "own")
)
_DETAIL = "high"
"""Set explicitly, because providers' defaults differ, and with them the pixels that a model
sees."""


def is_own_server(model: Model) -> bool:
    """Return whether a model's calls are written and sent without litellm."""
    return (
        model.target.startswith(OWN_SERVERS)
        and model.base_url is not None
        and not model.through_litellm
        and not (_WRITES | _SENDS) & set(model.extra)
    )


def speaks_openai(model: Model) -> bool:
    """Return whether a model's calls are sent without litellm, even if litellm writes them."""
    return (
        model.target.startswith(_OPENAI_PROTOCOL)
        and not model.through_litellm
        and not _SENDS & set(model.extra)
    )


def call_parameters(request: Request, model: Model) -> dict[str, Any]:
    """Return all parameters of a call but its key; equal requests and models give equal parameters.

    Temperature, seed and schema are left out only if the catalogue says that the model accepts
    none."""
    parameters: dict[str, Any] = {
        "model": model.target,
        "messages": _messages(request),
        model.max_tokens_name: model.max_tokens or request.max_tokens,
        "timeout": model.timeout_s,
        # The caller retries, and counts and pays for each attempt; these defaults would hide some.
        "max_retries": 0,
        "num_retries": 0,
    }
    if model.base_url is not None:
        parameters["api_base"] = model.base_url
    if request.temperature is not None and model.sends_temperature:
        parameters["temperature"] = request.temperature
    if model.sends_seed:
        parameters["seed"] = sampling_seed(request)
    if model.tier is not None and model.tier in SENT:
        parameters["service_tier"] = SENT[model.tier]
    if model.reasoning_effort is not None:
        parameters["reasoning_effort"] = model.reasoning_effort
    if request.reply_schema is not None and model.sends_schema:
        is_own = model.target.startswith(OWN_SERVERS)
        parameters["response_format"] = _response_format(request.reply_schema, is_own=is_own)
    return {**parameters, **model.extra}


def request_body(parameters: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Return the body of a POST to ``/chat/completions``; `model` is its name at the server."""
    sent = {name: value for name, value in parameters.items() if name not in _OF_THE_CALL}
    return {**sent, "model": model, **parameters.get("extra_body", {})}


def sampling_seed(request: Request) -> int:
    """Return a seed for this request: the same in every run, and different for any other
    request."""
    return int(content_hash("seed", request.episode_id, request.ask_index), 16) % 2**31


def _messages(request: Request) -> list[dict[str, Any]]:
    system, user = sendable(request.system), sendable(request.user)
    content: Any = user
    if request.images:
        content = [
            {"type": "text", "text": user},
            *(
                {"type": "image_url", "image_url": {"url": image_data_url(one), "detail": _DETAIL}}
                for one in request.images
            ),
        ]
    before = [{"role": "system", "content": system}] if system else []
    return [*before, {"role": "user", "content": content}]


def sendable(text: str) -> str:
    """Return the text without lone surrogates, which a model's earlier reply may contain."""
    return text.encode("utf-8", "replace").decode()


def image_data_url(image: Image) -> str:
    """Return a picture in the form that a request sends."""
    return f"data:image/{image.encoding};base64,{image.base64}"


def _response_format(schema: Facts, *, is_own: bool) -> dict[str, Any]:
    if schema == ANY_OBJECT:
        # llama.cpp enforces no object without a schema, and OpenAI refuses one here.
        return {"type": "json_object"} | ({"schema": dict(schema)} if is_own else {})
    # Providers refuse strict decoding for schemas that allow further keys.
    strict = schema.get("additionalProperties") is False
    return {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": dict(schema), "strict": strict},
    }
