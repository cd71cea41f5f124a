"""A model as the catalogue describes it: its server, limits and prices; and names of environment
variables, never their values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mirror_ray.providers.served import Served

Window: TypeAlias = Literal["bucket", "minute"]
MaxTokensName: TypeAlias = Literal["max_tokens", "max_completion_tokens"]
Tier: TypeAlias = Literal["standard", "flex", "batch"]
Fallback: TypeAlias = Literal["wait", "standard"]

FLEX_TIMEOUT_S = 900.0
"""OpenAI advises waiting this long, and Gemini aims to take no longer."""

BATCH_TIMEOUT_S = 26 * 3600.0
BATCH_LINGER_S = 30.0
BATCH_POLL_S = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one key; None means unlimited or unknown.

    Args:
        key: models that share limits name the same key.
        rpm, tpm: requests and tokens per minute.
        rpd: requests per day, from midnight to midnight in `day_zone`, an IANA time zone.
        window: how the provider counts a minute: "bucket" refills steadily, "minute" restarts with
            every minute of its clock.
        seeks_concurrency: whether the useful number of concurrent calls is found by their latency,
            up to `concurrency`.
    """

    key: str
    rpm: float | None = None
    tpm: float | None = None
    concurrency: int | None = None
    rpd: float | None = None
    day_zone: str = "UTC"
    window: Window = "bucket"
    seeks_concurrency: bool = False


@dataclass(frozen=True, slots=True)
class TierTerms:
    """Prices and limits of another price tier of a model.

    Args:
        usd_per_mtok_in, usd_per_mtok_out, usd_per_mtok_cached: as for `Model`.
        timeout_s: bound on one whole attempt.
        limits: separate ones, so that calls shed at this tier slow no others.
    """

    limits: Limits
    usd_per_mtok_in: float
    usd_per_mtok_out: float
    usd_per_mtok_cached: float | None = None
    timeout_s: float = FLEX_TIMEOUT_S


@dataclass(frozen=True, slots=True)
class BatchTerms(TierTerms):
    """Prices and limits of a model's batches, which do not count against the calls' rates.

    Args:
        timeout_s: from a batch's beginning on; providers promise an end within 24 h.
        linger_s: a batch is sent once no request has come for so long.
        poll_s: the longest time between two status requests.
        most_asks, most_mb: bounds of one batch (MB of 10⁶ bytes); None: the provider's.
    """

    timeout_s: float = BATCH_TIMEOUT_S
    linger_s: float = BATCH_LINGER_S
    poll_s: float = BATCH_POLL_S
    most_asks: int | None = None
    most_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the catalogue.

    Args:
        name: used in sweeps and records, e.g. ``openai/gpt-5.1`` or ``scripted/observer``.
        backend: "scripted" runs an offline agent in process, "hosted" calls a model elsewhere,
            "person" answers in a browser (`mirror_ray.people`).
        target: the agent's name, the person's, litellm's model string, or a name for `plugin`.
        plugin: the backend of another package that calls it; None: litellm, or plain HTTP.
        family, size_b, released, lab: what the model is, at any provider: size in 10⁹ parameters,
            release as ``2025``, ``2025-09`` or ``2025-09-29``; None derives it from the name.
        api_key_env: environment variable with the key, if one is needed.
        needs_env: sets of further environment variables for the provider's own client, one of which
            has to be complete; empty if nothing is needed.
        needs_packages: Python packages that litellm needs only for this provider.
        base_url: an OpenAI-compatible server's address, else litellm's default.
        usd_per_mtok_in, usd_per_mtok_out: prices per million tokens, if known.
        usd_per_mtok_cached: price of input the provider had cached; None: as other input.
        vision: False if the model, or litellm's route to it, accepts no pictures.
        sends_temperature: False if the provider rejects or ignores the parameter.
        sends_seed: True if the provider takes a sampling seed; every request has its own.
        sends_schema: True if the provider takes a JSON schema.
        reasoning_effort: how long to think, in the provider's terms; None: its default.
        tokens_per_image: input tokens of one picture; None: by the vendor's published formula.
        max_tokens: overrides a request's bound, for models that think before they answer.
        max_tokens_name: the server's name of that bound; litellm sets it for OpenAI's.
        timeout_s: bound on one whole attempt.
        latency_s: a scripted agent's simulated latency, for load tests.
        extra: further litellm parameters, sent as they are.
        extra_headers_env: header → environment variable with its value, which is secret.
        serve: how the run starts its servers itself; None: it is served elsewhere.
        usd_per_gpu_hour: price of such a server's GPUs, if known.
        flex: terms of the tier without promised capacity, if offered.
        batch: terms of requests in batches, if offered.
        tier: requested in every call; None: the provider's default.
        fallback: what happens to a shed flex call: it waits, or is made at "standard".
        standard: for a model at another tier, the same model at standard; set by
            `price_tiers.at_tier`.
    """

    name: str
    backend: Literal["scripted", "hosted", "person"]
    target: str
    limits: Limits
    plugin: str | None = None
    family: str | None = None
    size_b: float | None = None
    released: str | None = None
    lab: str | None = None
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
    through_litellm: bool = False
    timeout_s: float = 120.0
    latency_s: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)
    extra_headers_env: Mapping[str, str] = field(default_factory=dict)
    serve: Served | None = None
    usd_per_gpu_hour: float | None = None
    flex: TierTerms | None = None
    batch: BatchTerms | None = None
    tier: Tier | None = None
    fallback: Fallback = "wait"
    standard: "Model | None" = None

    @property
    def is_offline(self) -> bool:
        """Whether it replies free of charge and without a provider: an offline agent, or a
        person."""
        return self.backend != "hosted"

    @property
    def is_person(self) -> bool:
        """Whether it is a person at a browser."""
        return self.backend == "person"
