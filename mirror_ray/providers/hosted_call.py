"""A request as litellm's parameters: vision message, schema, sampling.

Knows the OpenAI shapes that litellm takes; pure, imports no litellm and reads no key.
"""

from base64 import b64encode
from typing import Any

from mirror_ray.identity import content_hash
from mirror_ray.providers.model import Model
from mirror_ray.types import Facts, Image, Request

_DETAIL = "high"
"""Said explicitly: providers' defaults differ, and so do the pixels that a model gets to see."""


def call_parameters(request: Request, model: Model) -> dict[str, Any]:
    """Everything of a call but its key: the same request and model give equal parameters.

    A temperature, a seed and a schema are left out only where the catalogue says that the model
    takes none.
    """
    parameters: dict[str, Any] = {
        "model": model.target,
        "messages": _messages(request),
        model.max_tokens_name: model.max_tokens or request.max_tokens,
        "timeout": model.timeout_s,
        # Retries are the caller's, who counts and pays them; both defaults would hide some.
        "max_retries": 0,
        "num_retries": 0,
    }
    if model.base_url is not None:
        parameters["api_base"] = model.base_url
    if request.temperature is not None and model.sends_temperature:
        parameters["temperature"] = request.temperature
    if model.sends_seed:
        parameters["seed"] = sampling_seed(request)
    if model.reasoning_effort is not None:
        parameters["reasoning_effort"] = model.reasoning_effort
    if request.reply_schema is not None and model.sends_schema:
        parameters["response_format"] = _response_format(request.reply_schema)
    return {**parameters, **model.extra}


def sampling_seed(request: Request) -> int:
    """A seed of this ask alone: the same in every run, and different between any two asks."""
    return int(content_hash("seed", request.episode_id, request.ask_index), 16) % 2**31


def _messages(request: Request) -> list[dict[str, Any]]:
    content: Any = request.user
    if request.images:
        content = [
            {"type": "text", "text": request.user},
            *({"type": "image_url", "image_url": _image_url(image)} for image in request.images),
        ]
    system = [{"role": "system", "content": request.system}] if request.system else []
    return [*system, {"role": "user", "content": content}]


def _image_url(image: Image) -> dict[str, str]:
    data = b64encode(image.data).decode("ascii")
    return {"url": f"data:image/{image.encoding};base64,{data}", "detail": _DETAIL}


def _response_format(schema: Facts) -> dict[str, Any]:
    # Strict decoding is refused for schemas that leave further keys open.
    strict = schema.get("additionalProperties") is False
    return {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": dict(schema), "strict": strict},
    }
