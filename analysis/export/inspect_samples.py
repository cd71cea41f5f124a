"""An episode in Inspect's terms: a sample, its requests as messages, its scores.

Of a family's own columns, only the one with the right answer is used. Pictures are not part of the
record: they are drawn again, and the recorded hash is in the reply's metadata."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isnan

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalError, EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    StopReason,
)
from inspect_ai.scorer import Score

from mirror_ray.analysis.export.pictures import AskPictures
from mirror_ray.analysis.reading import Row
from mirror_ray.contract.metrics import METRICS

_STOPS: Mapping[str, StopReason] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
}
_UNREAD = {"unscored_reason": "unread"}
_UNKNOWN = datetime.fromtimestamp(0, UTC)
"""The start of a request without a recorded time."""

_OF_A_MESSAGE = (
    "step", "ask", "superseded", "parse_status", "parse_fixes", "error_kind", "error",
    "finish_reason", "latency_s", "attempts", "cost_usd", "model_version", "frame_sha",
)  # fmt: skip
_NO_METADATA = ("sweep", "family", "condition", "model", "cell_id", "episode_id")


def sample_of(
    episode: Row,
    asks: Sequence[Row],
    scores: Mapping[str, float],
    pictures: Mapping[int, AskPictures],
) -> EvalSample:
    """Return the sample of an episode.

    Args:
        episode: a row of ``stage.<family>_episodes``.
        asks: rows of ``shard.<family>_steps``: the episode's latest take in its order, including
            replies that were asked for again.
        scores: NaN, which is Inspect's unscored, if no reply of the episode was read.
    """
    events = _events(asks, pictures)
    messages = {message.id: message for event in events for message in _messages(event)}
    # A run may hold a family whose package is not installed.
    metrics = METRICS.get(episode["family"])
    target = metrics.right_answer if metrics else ""
    return EvalSample(
        id=episode["episode_id"],
        uuid=episode["episode_id"],
        epoch=1,
        input=(asks[0]["user"] or "") if asks else "",
        target=str(episode[target]) if target else "",
        messages=list(messages.values()),
        output=events[-1].output if events else ModelOutput(model=episode["model"]),
        events=list(events),
        scores={
            name: Score(value=float(value), metadata=_UNREAD if isnan(value) else None)
            for name, value in scores.items()
        },
        metadata={key: value for key, value in episode.items() if key not in _NO_METADATA},
        model_usage=_usage(episode["model"], asks),
        total_time=episode["wall_s"],
        completed_at=episode["finished_at"],
        error=_error(episode),
        turn_count=len(asks),
    )


def _messages(event: ModelEvent) -> Iterator[ChatMessage]:
    yield from event.input
    if event.output.choices:
        yield event.output.message


def _events(asks: Sequence[Row], pictures: Mapping[int, AskPictures]) -> list[ModelEvent]:
    events = []
    for ask in asks:
        # Equal texts have equal ids, because Inspect identifies messages by id.
        system = f"{ask['episode_id']}-{ask['system_sha']}"
        place = f"{ask['episode_id']}-{ask['take']}-{ask['ask']}"
        prompt: list[ChatMessage] = [_asked(ask, f"{place}-user", pictures.get(ask["ask"]))]
        if ask["system"] is not None:
            prompt.insert(0, ChatMessageSystem(id=system, content=ask["system"]))
        started = datetime.fromisoformat(ask["started_at"]) if ask["started_at"] else _UNKNOWN
        events.append(
            ModelEvent(
                uuid=place,
                timestamp=started,
                model=ask["model"],
                role=ask["role"],
                input=prompt,
                tools=[],
                tool_choice="none",
                config=GenerateConfig(temperature=ask["temperature"]),
                output=_output(ask, f"{place}-reply"),
                retries=None if ask["attempts"] is None else ask["attempts"] - 1,
                error=None if ask["error_kind"] == "none" else ask["error"] or ask["error_kind"],
                working_time=ask["latency_s"],
            )
        )
    return events


def _asked(ask: Row, message_id: str, shown: AskPictures | None) -> ChatMessageUser:
    words = ask["user"] or ""
    if shown is None:
        return ChatMessageUser(id=message_id, content=words)
    pictures = [
        ContentImage(
            image=f"data:image/{one.encoding};base64,{b64encode(one.data).decode('ascii')}",
            detail="high",
        )
        for one in shown.images
    ]
    return ChatMessageUser(
        id=message_id,
        content=[ContentText(text=words), *pictures],
        metadata={"pictures_as_recorded": shown.is_as_recorded},
    )


def _output(ask: Row, message_id: str) -> ModelOutput:
    if ask["reply"] is None:
        return ModelOutput(model=ask["model"])
    reply = ChatMessageAssistant(
        id=message_id,
        content=_content(ask),
        model=ask["model"],
        source="generate",
        metadata={key: ask[key] for key in _OF_A_MESSAGE if ask[key] is not None},
    )
    stop: StopReason = _STOPS.get(ask["finish_reason"] or "", "unknown")
    return ModelOutput(
        model=ask["model_version"] or ask["model"],
        choices=[ChatCompletionChoice(message=reply, stop_reason=stop)],
        usage=_usage(ask["model"], [ask]).get(ask["model"]),
        time=ask["latency_s"],
    )


def _content(ask: Row) -> str | list[Content]:
    if ask["reasoning"] is None:
        return str(ask["reply"])
    return [ContentReasoning(reasoning=ask["reasoning"]), ContentText(text=ask["reply"])]


def _usage(model: str, asks: Sequence[Row]) -> dict[str, ModelUsage]:
    """Return the sums over all requests, or nothing if any request lacks its tokens."""
    if any(ask["tokens_in"] is None or ask["tokens_out"] is None for ask in asks):
        return {}
    tokens_in = sum(ask["tokens_in"] for ask in asks)
    tokens_out = sum(ask["tokens_out"] for ask in asks)
    costs = [ask["cost_usd"] for ask in asks]
    return {
        model: ModelUsage(
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            total_tokens=tokens_in + tokens_out,
            total_cost=None if None in costs else sum(costs),
        )
    }


def _error(episode: Row) -> EvalError | None:
    if episode["error_kind"] == "none":
        return None
    message = f"{episode['error_kind']}: {episode['error'] or ''}".rstrip(": ")
    return EvalError(message=message, traceback="", traceback_ansi="")
