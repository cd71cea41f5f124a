"""The core types every package speaks: ask, observation, request, reply, turn, outcome.

Does not know any family, world, provider or Ray; what an episode is called is in `identity`.
All are frozen: an episode is a deterministic generator over them, and a record of one is a value.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from mirror_ray.identity import content_hash

Facts: TypeAlias = Mapping[str, Any]
"""JSON-able ground truth of a frame, e.g. ``{"mirror_px": 5120, "cube_px": [0, 310, 0]}``."""

ErrorKind = Literal[
    "none",
    "rate_limit",
    "server",
    "timeout",
    "connection",
    "content_filter",
    "refusal",
    "context_window",
    "auth",
    "bad_request",
    "budget",
    "parse",
    "render",
    "internal",
]
ERROR_KINDS: tuple[str, ...] = get_args(ErrorKind)

RETRYABLE_KINDS: frozenset[str] = frozenset({"rate_limit", "server", "timeout", "connection"})
"""Failures another attempt may cure."""

FINAL_KINDS: frozenset[str] = frozenset(
    {"none", "parse", "content_filter", "refusal", "context_window"}
)
"""What a model itself said, or would not say: journaled, never asked for again. An episode that
ended by any other kind (a spent budget, a wrong key, a dead actor) is played again by a later run.
"""

ParseStatus = Literal["strict", "cleaned", "coerced", "repaired", "reasked", "failed"]
PARSE_STATUSES: tuple[str, ...] = get_args(ParseStatus)

Encoding = Literal["png", "jpeg"]


class View(Protocol):
    """A picture to take: a snapshot of a world and a camera; pure, picklable data."""

    @property
    def encoding(self) -> Encoding:
        """How the frame is to be encoded for the model."""
        ...

    @property
    def width_px(self) -> int:
        """Width of the frame."""
        ...

    @property
    def height_px(self) -> int:
        """Height of the frame."""
        ...


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawn view: `rgb` (height, width, 3) uint8, and what it truly shows."""

    rgb: NDArray[np.uint8]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Ask:
    """What an episode wants to know from a model, before any pixel is drawn.

    Args:
        role: which of the cell's seats is asked.
        step: the action step it belongs to, 1-based; a re-ask repeats its step.
        views: pictures to draw and send, in order, after the text.
        reply_schema: JSON schema of the reply; None for free text.
        max_tokens: upper bound of the reply's length in tokens.
        truth: the world's state, for the oracle agent alone; never sent to a model.
    """

    role: str
    step: int
    system: str
    user: str
    views: tuple[View, ...] = ()
    reply_schema: Facts | None = None
    max_tokens: int = 1024
    truth: Facts = field(default_factory=dict, repr=False)

    @property
    def prompt_sha(self) -> str:
        """Hash of what was asked in words: a recorded reply answers only the same words."""
        return content_hash(self.role, self.step, self.system, self.user)


@dataclass(frozen=True, slots=True)
class Image:
    """An encoded picture. `data` stays out of the repr, which may reach a log."""

    data: bytes = field(repr=False)
    encoding: Encoding
    width_px: int
    height_px: int
    rgb_sha: str
    """SHA-256 of the raw RGB bytes, not of the encoding."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What was really sent. From a record, `images` is empty and everything else is there."""

    images: tuple[Image, ...]
    frame_sha: str | None
    """rgb_sha of the one image, a hash over all of them, or None without any."""
    facts: Facts


@dataclass(frozen=True, slots=True)
class Request:
    """An ask made concrete for one model: all that a provider gets to see.

    `truth` is for the oracle agent alone; no provider may put it on a wire.
    """

    episode_id: str
    ask_index: int
    """Which ask of the episode this is, 1-based; (episode_id, ask_index) names a paid reply."""
    cell_id: str
    model: str
    system: str
    user: str
    images: tuple[Image, ...]
    reply_schema: Facts | None
    temperature: float | None
    max_tokens: int
    truth: Facts = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Quota:
    """What a provider said, with a reply, of the key's allowance; None where it said nothing.

    Args:
        rpm, tpm: requests and tokens allowed per minute.
        requests_left, tokens_left: how much of them is left now.
        requests_reset_s, tokens_reset_s: seconds until they are whole again.
    """

    rpm: float | None = None
    requests_left: float | None = None
    requests_reset_s: float | None = None
    tpm: float | None = None
    tokens_left: float | None = None
    tokens_reset_s: float | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at an ask that failed and was followed by another."""

    started_at: str
    """UTC, ISO 8601."""
    latency_s: float
    error_kind: ErrorKind
    error: str | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply as it came; unknown figures are None, never 0."""

    text: str
    reasoning: str | None = None
    finish_reason: str | None = None
    native_finish_reason: str | None = None
    error_kind: ErrorKind = "none"
    error: str | None = None
    """One line for a person, free of secrets; None without an error."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_image: int | None = None
    cost_usd: float | None = None
    latency_s: float = 0.0
    attempts: int = 1
    retry_after_s: float | None = None
    model_version: str | None = None
    started_at: str = ""
    """UTC, ISO 8601."""
    failed_attempts: tuple[Attempt, ...] = ()
    """The attempts before this one, in order."""
    presumed_usd: float = 0.0
    """Worst cases of the attempts whose cost stayed unknown: budgets count them, nothing else."""
    quota: Quota | None = None
    """For the Limiter alone: never recorded."""
    spent_scope: str | None = None
    """Whose budget would not pay, where that is the error; for the engine alone: never recorded."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a playing episode receives for an ask."""

    observation: Observation
    reply: Reply


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an episode ended.

    Args:
        terminated: it came to its natural end (as in Gymnasium).
        truncated: a bound ended it.
        error_kind: why it failed, else "none"; a failed episode is neither of the two.
        fields: the family's columns of the episode row.
        steps: the family's columns of each ask's row, in the order of the asks.
    """

    terminated: bool
    truncated: bool
    error_kind: ErrorKind
    fields: Facts
    steps: tuple[Facts, ...]


Play: TypeAlias = Generator[Ask, Turn, Outcome]
"""An episode under way: yields asks, receives turns, returns its outcome."""
