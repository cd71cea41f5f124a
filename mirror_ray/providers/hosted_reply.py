"""Converts a completion into a `Reply`, without importing litellm. Every field from a server is
typed and bounded here; a field that does not fit is left out and named."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import CUT_BY_LENGTH, CUT_UNKNOWN, Reply
from mirror_ray.core.untrusted import bounded_float, bounded_int, one_printable_line
from mirror_ray.providers.body_words import body_words
from mirror_ray.providers.classify import end_of, kind_of_finish, kind_of_status
from mirror_ray.providers.completion_body import CONTENT, MAX_TOKENS, MAX_USD
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.failed_call import MOST_OF_A_FAILURE_CHARS, headers_of, http_code
from mirror_ray.providers.model import Model
from mirror_ray.providers.price_tiers import cost_usd, served_tier
from mirror_ray.providers.quota import quota_of
from mirror_ray.providers.redaction import Secrets
from mirror_ray.providers.waits import finite_number

MOST_REPLY_CHARS = 1_000_000
"""Most characters of a reply's text. A longer text is the server's failure; thoughts are cut
there."""
MOST_LABEL_CHARS = 200

_ROUTER = "openrouter/"
"""The prefix of targets whose replies give two reasons for their end: the router's and the
provider's."""

NATIVE = "native_finish_reason"
_COSTS = ("cost", "total_cost", "estimated_cost")
_UPSTREAM = ("upstream_inference_cost", "market_cost")
"""OpenRouter's and Vercel's names for the price of a call with the user's own key."""
_UPSTREAM_PARTS = ("upstream_inference_prompt_cost", "upstream_inference_completions_cost")
_PROXY_COST = "x-litellm-response-cost"
_TEXTS = ("text", "reasoning", "finish_reason", NATIVE, "error", "model_version")
DETAILS = "usage.prompt_tokens_details"

ALL_IS_THINKING = (
    "the reply is empty, all of it is in reasoning_content: have the server leave the answer in"
    " content (llama-server --reasoning-format none, vLLM without --reasoning-parser, or the parser"
    " of this model)"
)
CUT_IN_THINKING = (
    "the reply is empty, its thinking used up max_tokens: raise max_tokens in the catalogue entry,"
    " or lower reasoning_effort"
)


class _Reading:
    """Typed values of a completion's fields, and the names of those left out. Secrets are removed
    from a text before it is cut, since redaction would miss half of one."""

    def __init__(self, ignored: tuple[str, ...], secrets: Secrets) -> None:
        self.ignored = list(ignored)
        self.remarks: list[str] = []
        self._secrets = secrets

    def text(self, holder: object, name: str) -> str | None:
        value = self._value(holder, name, name)
        if not isinstance(value, str):
            self._missed(value, name)
            return None
        return self._secrets.removed_from(value)

    def label(self, holder: object, name: str) -> str | None:
        text = self.text(holder, name)
        return None if text is None else one_printable_line(text, MOST_LABEL_CHARS)

    def count(self, holder: object, name: str, path: str = "usage") -> int | None:
        value = self._value(holder, name, f"{path}.{name}")
        count = bounded_int(value, 0, MAX_TOKENS)
        return self._missed(value, f"{path}.{name}") if count is None else count

    def usd(self, holder: object, name: str) -> float | None:
        value = self._value(holder, name, f"usage.{name}")
        usd = bounded_float(value, 0.0, MAX_USD)
        return self._missed(value, f"usage.{name}") if usd is None else usd

    def _value(self, holder: object, name: str, path: str) -> Any:
        # litellm adds defaults for fields that the guard removed.
        return None if path in self.ignored else _of(holder, name)

    def _missed(self, value: object, path: str) -> Any:
        if value is not None:
            self.ignored.append(path)
        return None

    def said(self) -> str | None:
        names = ", ".join(dict.fromkeys(self.ignored))
        fields = [f"not as they should be, and ignored: {names}"] if names else []
        return "; ".join((*fields, *self.remarks)) or None


def reply_of_completion(
    completion: Any, model: Model, secrets: Secrets, exchange: Exchange
) -> Reply:
    """Return the reply in a completion, which may still report a failure.

    An empty reply is the model's own only if the provider counted tokens for it, or returned its
    thoughts. Otherwise nothing was generated (a cold start, a stream cut short): this is a failure
    of the provider and is retried. So is a reply whose content is too long or not text."""
    read = _Reading(exchange.ignored, secrets)
    hidden = _of(completion, "_hidden_params")
    choices = _of(completion, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _of(choice, "message")
    of_choice = _mapping(_of(choice, "provider_specific_fields"))
    of_message = _mapping(_of(message, "provider_specific_fields"))
    finish, native = read.label(choice, "finish_reason"), read.label(of_choice, NATIVE)
    if native and not isinstance(completion, Mapping) and not model.target.startswith(_ROUTER):
        # litellm reports a reason that it does not know as "stop".
        finish = native
    text, reasoning = read.text(message, CONTENT) or "", read.text(message, "reasoning_content")
    if reasoning is not None and len(reasoning) > MOST_REPLY_CHARS:
        reasoning = reasoning[:MOST_REPLY_CHARS]
        read.ignored.append(f"reasoning beyond {MOST_REPLY_CHARS:,} characters")
    usage = _of(completion, "usage")
    details = _of(usage, "prompt_tokens_details")
    # litellm replaces a missing usage by zeros; no prompt and no text has no tokens.
    tokens_in = (
        max(read.count(usage, one) or 0 for one in ("prompt_tokens", "input_tokens")) or None
    )
    tokens_out = _tokens_out(read, usage, tokens_in) if tokens_in else None
    if not tokens_out and (text or reasoning):
        tokens_out = None
    tokens_cached = read.count(details, "cached_tokens", DETAILS)
    tokens_image = read.count(details, "image_tokens", DETAILS)
    served = served_tier(read.label(completion, "service_tier"))
    reported_usd = _reported_usd(read, hidden, usage, model)
    usd = cost_usd(
        model,
        reported_usd=reported_usd,
        # A gateway without a price reports 0.
        is_least=_of(usage, "is_byok") is True or reported_usd == 0,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=tokens_cached,
        served=served,
    )
    kind, trouble = _trouble(
        of_choice.get("error"), finish, native, read.text(of_message, "refusal")
    )
    end = end_of(finish, native)
    if end == CUT_UNKNOWN or (native and end_of(None, native) == CUT_UNKNOWN and kind == "none"):
        read.remarks.append(f"an unknown reason for the end of the reply: {native or finish}")
    says_nothing = not text.strip() and end != "tool_calls" and not _of(message, "tool_calls")
    if kind == "none" and reasoning and says_nothing:
        read.remarks.append(ALL_IS_THINKING if end != CUT_BY_LENGTH else CUT_IN_THINKING)
    if choice is None:
        kind, trouble = "server", "the provider sent no choices"
    elif CONTENT in read.ignored:
        kind, trouble = "server", "the reply's content is not text"
    elif len(text) > MOST_REPLY_CHARS:
        kind, trouble = "server", f"the reply is longer than {MOST_REPLY_CHARS:,} characters"
        text = ""
    elif kind == "none" and not (text or reasoning or tokens_out):
        kind, trouble = "server", "the reply is empty and no tokens were generated"
    model_version, ignored = read.label(completion, "model"), read.said()
    return Reply(
        text=text,
        reasoning=reasoning,
        finish_reason=end if kind == "none" else finish,
        native_finish_reason=native or (None if finish == end else finish),
        error_kind=kind,
        error=ignored if kind == "none" else secrets.one_line(trouble),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=tokens_cached,
        tokens_image=tokens_image,
        cost_usd=bounded_float(usd, 0.0, MAX_USD),
        model_version=model_version,
        service_tier=served,
        quota=quota_of(headers_of(_of(hidden, "additional_headers"))),
    )


def without_secrets(reply: Reply, secrets: Secrets) -> Reply:
    """Return the reply with the secrets removed from all of its texts."""
    held = ((name, getattr(reply, name)) for name in _TEXTS)
    texts: dict[str, Any] = {name: secrets.removed_from(text) for name, text in held if text}
    return replace(reply, **texts)


def _of(holder: object, name: str) -> Any:
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _trouble(
    error: object, finish_reason: str | None, native: str | None, refusal: str | None
) -> tuple[ErrorKind, str]:
    if error:
        code = _of(error, "code")
        said = f"{body_words(error) or error}"[:MOST_OF_A_FAILURE_CHARS]
        return kind_of_status(
            http_code(code) or 500, f"{said} {code}"
        ), f"in mid-generation: {said}"
    kind = kind_of_finish(finish_reason, native, refusal)
    return kind, refusal or f"the provider ended the reply: {native or finish_reason}"


def _tokens_out(read: _Reading, usage: object, tokens_in: int) -> int | None:
    """Return the tokens of the reply, including its thinking.

    Some servers count the thinking only in `total_tokens`, in the details or by itself. The highest
    of contradictory figures counts."""
    stated = read.count(usage, "completion_tokens")
    total = read.count(usage, "total_tokens") or 0
    details = (_of(usage, f"{one}_tokens_details") for one in ("completion", "output"))
    thought = max(read.count(one, "reasoning_tokens", "usage") or 0 for one in (usage, *details))
    apart = (stated or 0) + thought if thought > (stated or 0) else 0
    highest = max(stated or 0, read.count(usage, "output_tokens") or 0, total - tokens_in, apart)
    if highest > (stated or 0):
        read.remarks.append(
            "completion_tokens are fewer than the other figures say: the higher count is billed"
        )
        return highest
    return stated


def _reported_usd(read: _Reading, hidden: object, usage: object, model: Model) -> float | None:
    """Return the provider's figure or, for models without a catalogue price, litellm's estimate:
    its own, or that of a proxy at `base_url`.

    litellm returns 0.0 for a name without a price, and a public service's price does not apply to a
    private server."""
    stated = next((usd for name in _COSTS if (usd := read.usd(usage, name)) is not None), None)
    places = (usage, _of(usage, "cost_details"))
    found = [read.usd(one, name) for one in places for name in _UPSTREAM]
    upstream = max((usd for usd in found if usd is not None), default=None)
    if upstream is None:
        parts = [read.usd(places[1], name) for name in _UPSTREAM_PARTS]
        upstream = None if None in parts else sum(usd or 0.0 for usd in parts)
    if upstream is not None and _of(usage, "is_byok") is True:
        # With the user's own key, the router bills its fee, and the provider the rest.
        return (stated or 0.0) + upstream
    if stated is not None or upstream is not None:
        if upstream is not None and stated is not None and upstream > stated:
            read.remarks.append("the provider's cost is above the router's: the higher one counts")
        return max(stated or 0.0, upstream or 0.0)
    if model.usd_per_mtok_in is not None:
        return None
    usd = _of(hidden, "response_cost")
    if model.base_url is not None:
        usd = finite_number(headers_of(_of(hidden, "additional_headers")).get(_PROXY_COST))
    return bounded_float(usd, 0.0, MAX_USD) or None
