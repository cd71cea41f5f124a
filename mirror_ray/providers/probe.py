"""Sends a hosted model one cheap request, whose reply shows what the model accepts."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from math import ceil
from typing import Any, TypeAlias

from PIL import Image as Picture

from mirror_ray.core.known_costs import sum_if_known
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import Facts, Image, Reply, Request
from mirror_ray.providers.fault import MORE_CALLS, find_fault
from mirror_ray.providers.image_tokens import image_tokens
from mirror_ray.providers.model import Model
from mirror_ray.providers.price_tiers import cost_usd

SIDE_PX = 128
TEMPERATURE = 0.2
MAX_TOKENS = 256
ROOM_TO_THINK = 8192
_CHARS_PER_TOKEN = 3

_LEFT, _RIGHT = "black", "yellow"
_COLOURS = ("black", "white", "red", "orange", "yellow", "green", "blue", "purple")
_QUESTIONS = {
    True: "The picture has two halves. Which colour is the left one, and which the right one?",
    False: "Which colour is coal, to be called left, and which is a lemon, to be called right?",
}
"""The question with and without a picture; both have the same answer."""
_IN_WORDS = ' Answer with one JSON object and nothing else: {"left": colour, "right": colour}.'
"""Only sent without a schema: a model that answers in JSON unasked follows the schema."""

_SCHEMA: Facts = {
    "type": "object",
    "properties": {side: {"type": "string", "enum": list(_COLOURS)} for side in ("left", "right")},
    "required": ["left", "right"],
    "additionalProperties": False,
}

AskOnce: TypeAlias = Callable[[Model, Request], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Probe:
    """The findings about a model.

    Args:
        sent: the parameters of the first call.
        reply: the first that passed, else the last.
        cost_usd: of all calls, if known.
        refused: the parameters that had to be left out for a call to pass.
        is_sure: False if they are only inferred.
        refusal: the provider's message to the first call, if it refused it.
    """

    model: Model
    sent: tuple[str, ...]
    reply: Reply
    calls: int
    cost_usd: float | None
    refused: tuple[str, ...] = ()
    is_sure: bool = True
    refusal: str | None = None

    @property
    def is_reached(self) -> bool:
        """Whether a reply arrived."""
        return self.reply.error_kind == "none"

    @property
    def is_cut_short(self) -> bool:
        """Whether the limit on the reply was too small to show what the model can do."""
        return self.is_reached and self.reply.finish_reason == "length"

    @property
    def is_fine(self) -> bool:
        """Whether the model does everything that its entry states."""
        known = (self.accepts("picture"), self.accepts("schema"))
        return self.is_reached and not self.refused and not self.is_cut_short and False not in known

    def accepts(self, parameter: str) -> bool | None:
        """Return whether it accepts pictures, schemas or a parameter; None if unknown."""
        if parameter in self.refused:
            return False
        is_known = self.is_reached and self.is_sure and not self.is_cut_short
        if parameter not in self.sent or not is_known:
            return None
        if parameter == "picture":
            return _names_the_colours(self.reply.text)
        return _fits_schema(self.reply.text) if parameter == "schema" else True

    def mend(self) -> Mapping[str, Any]:
        """Return the keys of an entry that fit the findings; empty if it needs no correction."""
        wrong = {parameter for parameter in self.sent if self.accepts(parameter) is False}
        lines = _mended(wrong, self.model)
        if self.is_cut_short and (self.model.max_tokens or 0) < ROOM_TO_THINK:
            lines["max_tokens"] = ROOM_TO_THINK
        return lines


def request_for(model: Model) -> Request:
    """Return the question, with all parameters that the model accepts by the catalogue."""
    in_words = "" if model.sends_schema else _IN_WORDS
    return Request(
        episode_id="probe",
        ask_index=1,
        cell_id="probe",
        model=model.name,
        system="",
        user=_QUESTIONS[model.vision] + in_words,
        images=(_picture(),) if model.vision else (),
        reply_schema=_SCHEMA if model.sends_schema else None,
        temperature=TEMPERATURE if model.sends_temperature else None,
        max_tokens=MAX_TOKENS,
    )


def at_most_usd(model: Model) -> float | None:
    """Return an upper bound for the cost of probing the model; None if a price is unknown."""
    request = request_for(model)
    tokens_in = ceil((len(request.user) + len(json.dumps(_SCHEMA))) / _CHARS_PER_TOKEN)
    tokens_in += sum(image_tokens(model, SIDE_PX, SIDE_PX).at_most for _ in request.images)
    each_usd = cost_usd(
        model,
        reported_usd=None,
        tokens_in=tokens_in,
        tokens_out=model.max_tokens or MAX_TOKENS,
        tokens_cached=None,
    )
    # Only a refused call, which is free, is followed by others.
    return None if each_usd is None else MORE_CALLS * each_usd


async def probe(model: Model, ask: AskOnce) -> Probe:
    """Send one request; if it is refused, find out why with a few more, each one attempt of
    `ask`."""
    request = request_for(model)
    sent = _sent(model, request)
    replies = [await ask(model, request)]

    async def ask_without(parameters: frozenset[str]) -> Reply:
        replies.append(await ask(*_without(parameters, model, request)))
        return replies[-1]

    first = replies[0]
    if first.error_kind != "bad_request":
        return Probe(model, sent, first, 1, first.cost_usd)
    fault = await find_fault(sent, _unnamed(first, model), ask_without)
    return Probe(
        model,
        sent,
        fault.reply,
        len(replies),
        sum_if_known([one.cost_usd for one in replies if one.error_kind != "bad_request"]),
        refused=fault.parameters,
        is_sure=fault.is_sure,
        refusal=first.error,
    )


def _unnamed(reply: Reply, model: Model) -> Reply:
    name = model.target.rpartition("/")[2]
    return replace(reply, error=None if reply.error is None else reply.error.replace(name, "…"))


def _sent(model: Model, request: Request) -> tuple[str, ...]:
    is_sent = {
        "temperature": request.temperature is not None,
        "seed": model.sends_seed,
        "schema": request.reply_schema is not None,
        "picture": bool(request.images),
        "reasoning_effort": model.reasoning_effort is not None,
        "max_tokens": True,
    }
    return (
        *(name for name, is_there in is_sent.items() if is_there),
        *(f"extra.{name}" for name in model.extra),
    )


def _without(parameters: AbstractSet[str], model: Model, request: Request) -> tuple[Model, Request]:
    in_request = {"temperature": "temperature", "schema": "reply_schema"}
    emptied: dict[str, Any] = {in_request[name]: None for name in parameters & in_request.keys()}
    if "picture" in parameters:
        emptied["images"] = ()
    return replace(model, **_mended(parameters, model)), replace(request, **emptied)


def _mended(parameters: AbstractSet[str], model: Model) -> dict[str, Any]:
    kept = {name: value for name, value in model.extra.items() if f"extra.{name}" not in parameters}
    other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
    entries: dict[str, dict[str, Any]] = {
        "temperature": {"sends_temperature": False},
        "seed": {"sends_seed": False},
        "schema": {"sends_schema": False},
        "picture": {"vision": False},
        "reasoning_effort": {"reasoning_effort": None},
        "max_tokens": {"max_tokens_name": other[model.max_tokens_name]},
        **{f"extra.{name}": {"extra": kept} for name in model.extra},
    }
    return {key: value for name in sorted(parameters) for key, value in entries[name].items()}


def _picture() -> Image:
    """Draw two halves. A model that sees nothing could hardly guess one of them, let alone both."""
    picture = Picture.new("RGB", (SIDE_PX, SIDE_PX), _RIGHT)
    picture.paste(_LEFT, (0, 0, SIDE_PX // 2, SIDE_PX))
    encoded = BytesIO()
    picture.save(encoded, "png")
    return Image(
        data=encoded.getvalue(),
        encoding="png",
        width_px=SIDE_PX,
        height_px=SIDE_PX,
        rgb_sha=sha256(picture.tobytes()).hexdigest(),
    )


def _names_the_colours(text: str) -> bool:
    if _fits_schema(text):
        answer = parse_json(text)
        return bool(answer["left"] == _LEFT and answer["right"] == _RIGHT)
    return set(re.findall("|".join(_COLOURS), text.lower())[-2:]) == {_LEFT, _RIGHT}


def _fits_schema(text: str) -> bool:
    try:
        answer = parse_json(text)
    except ValueError:
        return False
    return (
        isinstance(answer, dict)
        and answer.keys() == {"left", "right"}
        and all(colour in _COLOURS for colour in answer.values())
    )
