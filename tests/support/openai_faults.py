"""Every fault that hosted models were seen to return instead of a reply, by name.

`openai_server.py` decides when.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web
from openai_wire import Call, completion, failure, words_of

Fault = Callable[[web.Request, Call], Awaitable[web.StreamResponse]]


def status_fault(
    status: int, message: str, code: str, headers: Mapping[str, str] | None = None
) -> Fault:
    async def answer(_: web.Request, __: Call) -> web.StreamResponse:
        return failure(status, message, code, headers)

    return answer


def body_fault(make: Callable[[Call], dict[str, Any] | str]) -> Fault:
    """A body with status 200; a string is sent as HTML."""

    async def answer(_: web.Request, call: Call) -> web.StreamResponse:
        body = make(call)
        if isinstance(body, str):
            return web.Response(text=body, content_type="text/html")
        return web.json_response(body)

    return answer


async def hang(_: web.Request, call: Call) -> web.StreamResponse:
    await asyncio.sleep(3600)
    return web.json_response(completion(call, None))


async def trickle(request: web.Request, _: Call) -> web.StreamResponse:
    """A byte now and then, without end: outlives timeouts that count from read to read."""
    stream = web.StreamResponse(headers={"Content-Type": "application/json"})
    await stream.prepare(request)
    try:
        while True:
            await stream.write(b" ")
            await asyncio.sleep(0.05)
    except ConnectionResetError:
        return stream


async def drop(request: web.Request, _: Call) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.close()
    return web.Response()


async def cut(request: web.Request, _: Call) -> web.StreamResponse:
    """The socket closes within the body."""
    stream = web.StreamResponse(
        headers={"Content-Length": "500", "Content-Type": "application/json"}
    )
    await stream.prepare(request)
    await stream.write(b'{"id": "chatcmpl')
    if request.transport is not None:
        request.transport.close()
    return stream


async def echo_key(_: web.Request, call: Call) -> web.StreamResponse:
    return failure(401, f"Bad headers: Authorization: {call.authorization}", "invalid_api_key")


OPENAI_LIMITS = {
    "x-ratelimit-limit-requests": "600",
    "x-ratelimit-remaining-requests": "590",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-limit-tokens": "150000",
    "x-ratelimit-remaining-tokens": "149000",
    "x-ratelimit-reset-tokens": "400ms",
}


async def limits(_: web.Request, call: Call) -> web.StreamResponse:
    """A normal reply whose headers state the allowance."""
    return web.json_response(completion(call, "ok"), headers=OPENAI_LIMITS)


async def free_429(_: web.Request, __: Call) -> web.StreamResponse:
    """As OpenRouter does: the headers stand in the body."""
    headers = {
        "X-RateLimit-Limit": "20",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": "1500000000000",
    }
    message = "Rate limit exceeded: free-models-per-min."
    error = {"message": message, "code": 429, "metadata": {"headers": headers}}
    return web.json_response({"error": error}, status=429)


def in_body(message: str, code: int | str) -> Fault:
    """As OpenRouter does: status 200, with the failure in the body."""
    return body_fault(lambda _: {"error": {"message": message, "code": code}})


def without_usage(call: Call) -> dict[str, Any]:
    body = completion(call, words_of(call))
    del body["usage"]
    return body


def billed(call: Call) -> dict[str, Any]:
    """As OpenRouter does: the call's cost is part of the usage."""
    body = completion(call, words_of(call))
    body["usage"]["cost"] = 0.0123
    return body


def unspoken(call: Call, tokens_out: int) -> dict[str, Any]:
    """An empty reply for which the provider counts so many tokens."""
    body = completion(call, "")
    body["usage"]["completion_tokens"] = tokens_out
    return body


def with_message(call: Call, **message: Any) -> dict[str, Any]:
    return completion(call, None, message={"role": "assistant", "content": None, **message})


FAULTS: Mapping[str, Fault] = {
    "429": status_fault(
        429,
        "Rate limit reached",
        "rate_limit_exceeded",
        {"Retry-After": "7", "retry-after-ms": "50"},
    ),
    "quota": status_fault(429, "You exceeded your current quota", "insufficient_quota"),
    "limits": limits,
    "limits_429": status_fault(
        429,
        "Rate limit reached",
        "rate_limit_exceeded",
        {**OPENAI_LIMITS, "x-ratelimit-remaining-requests": "0", "Retry-After": "0.1"},
    ),
    "free_429": free_429,
    "daily": status_fault(
        429,
        "Rate limit reached on requests per day (RPD): Limit 200. Please try again in 7m12s.",
        "rate_limit_exceeded",
        {"x-ratelimit-limit-requests": "200", "x-ratelimit-reset-requests": "24h0m0s"},
    ),
    "retry_info": status_fault(
        429, 'Resource exhausted {"retryDelay": "34s"}', "RESOURCE_EXHAUSTED"
    ),
    "no_allowance": status_fault(
        429, "Rate limit exceeded", "rate_limited", {"x-ratelimit-limit-req-minute": "0"}
    ),
    "payment": status_fault(402, "This request requires more credits", "402"),
    "region": status_fault(403, "Country, region, or territory not supported", "unsupported"),
    "location": status_fault(400, "User location is not supported for the API use.", "400"),
    "500": status_fault(500, "The server had an error", "server_error"),
    "503": status_fault(503, "Overloaded", "overloaded", {"Retry-After": "1"}),
    "529": status_fault(529, "Overloaded", "overloaded_error"),
    "404": status_fault(404, "The model does not exist", "model_not_found"),
    "413": status_fault(413, "Request too large", "too_large"),
    "context": status_fault(
        400, "This model's maximum context length is 8192 tokens.", "context_length_exceeded"
    ),
    "moderated": status_fault(403, "Your input was flagged", "moderation"),
    "echo_key": echo_key,
    "hang": hang,
    "trickle": trickle,
    "drop": drop,
    "cut": cut,
    "html": body_fault(lambda _: "<html><body>Please log in</body></html>"),
    "truncated": body_fault(lambda call: json.dumps(completion(call, words_of(call)))[:120]),
    "error_body": body_fault(lambda _: {"error": {"message": "Upstream died", "code": 502}}),
    "429_in_body": in_body("Provider returned error", 429),
    "context_in_body": in_body("This endpoint's maximum context length is 8192 tokens.", 400),
    "credits_in_body": in_body("Insufficient credits", "402"),
    "mute": body_fault(lambda call: unspoken(call, 0)),
    "spoken_silence": body_fault(lambda call: unspoken(call, 1)),
    "no_choices": body_fault(lambda call: {**completion(call, None), "choices": []}),
    "billed": body_fault(billed),
    "no_usage": body_fault(without_usage),
    "length": body_fault(
        lambda call: completion(call, words_of(call)[:40], finish_reason="length")
    ),
    "filter": body_fault(lambda call: completion(call, "", finish_reason="content_filter")),
    "refusal": body_fault(lambda call: with_message(call, refusal="I can't help with that.")),
    "midway": body_fault(
        lambda call: completion(
            call,
            words_of(call)[:40],
            finish_reason="stop",
            native_finish_reason="error",
            error={"code": 502, "message": "Upstream died"},
        )
    ),
    "fenced": body_fault(lambda call: completion(call, f"```json\n{words_of(call)}\n```")),
    "think": body_fault(
        lambda call: completion(call, f"<think>Is it me?</think>\n{words_of(call)}")
    ),
    "reasoning": body_fault(
        lambda call: with_message(
            call, content=words_of(call), reasoning_content="I looked at the mirror."
        )
    ),
}
