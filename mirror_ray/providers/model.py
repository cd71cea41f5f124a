"""A model as the catalogue describes it: who serves it, under which limits, at what price.

Knows figures and the name of the key's environment variable, never the key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Limits:
    """Allowance of one rate-limited key; None means unlimited or unknown.

    Args:
        key: models that draw on the same allowance name the same key.
        rpm, tpm: requests and tokens per minute.
        rpd: requests per day, from midnight to midnight UTC.
        window: how the provider counts a minute: "bucket" refills steadily, "minute" starts anew
            with every minute of its clock.
    """

    key: str
    rpm: float | None = None
    tpm: float | None = None
    concurrency: int | None = None
    rpd: float | None = None
    window: Literal["bucket", "minute"] = "bucket"


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the catalogue.

    Args:
        name: as sweeps and records call it, e.g. ``openai/gpt-5.1`` or ``scripted/observer``.
        backend: "scripted" runs an offline agent in process, "hosted" goes through litellm.
        target: the agent's name, or litellm's model string.
        api_key_env: environment variable that holds the key; None where none is needed.
        base_url: an OpenAI-compatible server's address, else litellm's default.
        usd_per_mtok_in, usd_per_mtok_out: prices per million tokens; None where unknown.
        usd_per_mtok_cached: price of input the provider had cached; None: as other input.
        sends_temperature: False where the provider rejects the parameter.
        sends_schema: True where the provider takes a JSON schema.
        tokens_per_image: input tokens of one picture; None: by the maker's published formula.
        max_tokens: overrides an ask's bound, for models that think before they answer.
        timeout_s: bound on one attempt, whole.
        latency_s: a scripted agent's pretended latency, for load tests.
        extra: further litellm parameters, sent as they are.
    """

    name: str
    backend: Literal["scripted", "hosted"]
    target: str
    limits: Limits
    api_key_env: str | None = None
    base_url: str | None = None
    usd_per_mtok_in: float | None = None
    usd_per_mtok_out: float | None = None
    usd_per_mtok_cached: float | None = None
    sends_temperature: bool = True
    sends_schema: bool = True
    tokens_per_image: int | None = None
    max_tokens: int | None = None
    timeout_s: float = 120.0
    latency_s: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)
