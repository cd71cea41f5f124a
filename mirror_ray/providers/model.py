"""A model as the catalogue describes it: who serves it, under which limits, at what price.

Knows figures and the names of environment variables, never what they hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Window: TypeAlias = Literal["bucket", "minute"]
MaxTokensName: TypeAlias = Literal["max_tokens", "max_completion_tokens"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Allowance of one rate-limited key; None means unlimited or unknown.

    Args:
        key: models that draw on the same allowance name the same key.
        rpm, tpm: requests and tokens per minute.
        rpd: requests per day, from midnight to midnight in `day_zone`, an IANA time zone.
        window: how the provider counts a minute: "bucket" refills steadily, "minute" starts anew
            with every minute of its clock.
    """

    key: str
    rpm: float | None = None
    tpm: float | None = None
    concurrency: int | None = None
    rpd: float | None = None
    day_zone: str = "UTC"
    window: Window = "bucket"


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the catalogue.

    Args:
        name: as sweeps and records call it, e.g. ``openai/gpt-5.1`` or ``scripted/observer``.
        backend: "scripted" runs an offline agent in process, "hosted" goes through litellm.
        target: the agent's name, or litellm's model string.
        api_key_env: environment variable that holds the key; None where none is needed.
        needs_env: further environment variables that the provider's own client reads: one of these
            sets has to be there, whole; empty where nothing is needed.
        needs_packages: Python packages that litellm wants for this provider only.
        base_url: an OpenAI-compatible server's address, else litellm's default.
        usd_per_mtok_in, usd_per_mtok_out: prices per million tokens; None where unknown.
        usd_per_mtok_cached: price of input the provider had cached; None: as other input.
        vision: False where the model, or litellm's way to it, takes no pictures.
        sends_temperature: False where the provider rejects the parameter or does not heed it.
        sends_seed: True where the provider takes a sampling seed; every ask has its own.
        sends_schema: True where the provider takes a JSON schema.
        reasoning_effort: how long to think, in the provider's words; None leaves it to it.
        tokens_per_image: input tokens of one picture; None: by the maker's published formula.
        max_tokens: overrides an ask's bound, for models that think before they answer.
        max_tokens_name: what the server calls that bound. litellm knows it for OpenAI's own models.
        timeout_s: bound on one attempt, whole.
        latency_s: a scripted agent's pretended latency, for load tests.
        extra: further litellm parameters, sent as they are.
    """

    name: str
    backend: Literal["scripted", "hosted"]
    target: str
    limits: Limits
    api_key_env: str | None = None
    needs_env: tuple[tuple[str, ...], ...] = ()
    needs_packages: tuple[str, ...] = ()
    base_url: str | None = None
    usd_per_mtok_in: float | None = None
    usd_per_mtok_out: float | None = None
    usd_per_mtok_cached: float | None = None
    vision: bool = True
    sends_temperature: bool = True
    sends_seed: bool = False
    sends_schema: bool = True
    reasoning_effort: str | None = None
    tokens_per_image: int | None = None
    max_tokens: int | None = None
    max_tokens_name: MaxTokensName = "max_tokens"
    timeout_s: float = 120.0
    latency_s: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)
