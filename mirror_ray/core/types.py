"""The core types that all packages share: ask, observation, request, reply, turn, outcome.

All are frozen: an episode is a deterministic generator over them, and records are values."""

from base64 import b64encode
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.error_kinds import ERROR_KINDS, ErrorKind
from mirror_ray.core.identity import content_hash
from mirror_ray.core.untrusted import Fits, bounded_float, bounded_int, keep_fitting, text_or_none

Facts: TypeAlias = Mapping[str, Any]
"""JSON-able ground truth of a frame, e.g. ``{"mirror_px": 5120, "cube_px": [0, 310, 0]}``."""

ParseStatus = Literal["strict", "cleaned", "coerced", "repaired", "reasked", "failed"]
PARSE_STATUSES: tuple[str, ...] = get_args(ParseStatus)

ServedTier = Literal["standard", "flex", "priority", "scale", "batch"]
SERVED_TIERS: tuple[str, ...] = get_args(ServedTier)
"""Price tiers at which a provider may have served a call, with the same names for all providers."""

Encoding = Literal["png", "jpeg"]


class View(Protocol):
    """A picture to take: a snapshot of a world and a camera, as pure, picklable data."""

    @property
    def encoding(self) -> Encoding:
        """How the frame is to be encoded for the model."""

    @property
    def width_px(self) -> int:
        """Width of the frame."""

    @property
    def height_px(self) -> int:
        """Height of the frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A drawn view: `rgb` (height, width, 3) uint8, and the ground truth of what it shows."""

    rgb: NDArray[np.uint8]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a model, before any picture is drawn.

    Args:
        role: which of the cell's models is asked.
        step: the action step it belongs to, 1-based; a re-ask repeats its step.
        views: pictures to draw and send, in order, after the text.
        reply_schema: JSON schema of the reply; None for free text.
        max_tokens: upper bound of the reply's length in tokens.
        truth: the world's state, only for the oracle agent; never sent to a model.
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
        """Hash of the prompt text: a recorded reply answers only the same text."""
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
    _base64: str | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def base64(self) -> str:
        """`data` as text; made once, however often the picture is sent."""
        if self._base64 is None:
            object.__setattr__(self, "_base64", b64encode(self.data).decode("ascii"))
        return self._base64 or ""


@dataclass(frozen=True, slots=True)
class Observation:
    """The content actually sent. Read back from a record, it has everything but `images`."""

    images: tuple[Image, ...]
    frame_sha: str | None
    """rgb_sha of the one image, a hash over all of them, or None without any."""
    facts: Facts


@dataclass(frozen=True, slots=True)
class Request:
    """A request to one model: everything that a provider receives.

    `truth` is only for the oracle agent; no provider may send it over a wire."""

    episode_id: str
    ask_index: int
    """The request's number in the episode, 1-based; (episode_id, ask_index) names a paid reply."""
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
    """A key's allowance, as the provider stated it with a reply; None where it stated nothing.

    Args:
        rpm, tpm: requests and tokens allowed per minute.
        requests_left, tokens_left: how much of them is left now.
        requests_reset_s, tokens_reset_s: seconds until they are full again.
    """

    rpm: float | None = None
    requests_left: float | None = None
    requests_reset_s: float | None = None
    tpm: float | None = None
    tokens_left: float | None = None
    tokens_reset_s: float | None = None

    def __post_init__(self) -> None:
        # Invalid figures are dropped.
        keep_fitting(self, _QUOTA_FITS)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt that failed and was followed by another. Values that fit no column are dropped."""

    started_at: str
    """UTC, ISO 8601."""
    latency_s: float
    error_kind: ErrorKind
    error: str | None
    cost_usd: float | None

    def __post_init__(self) -> None:
        """Drop values that fit no column."""
        keep_fitting(self, _ATTEMPT_FITS)


CUT_BY_LENGTH: Literal["length"] = "length"
CUT_UNKNOWN: Literal["unknown"] = "unknown"
CUT_SHORT = frozenset({CUT_BY_LENGTH, CUT_UNKNOWN})
"""Values of `finish_reason` with which a reply is not read as complete."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply as it came; unknown figures are None, never 0.

    In every reply, values that fit no column (another type, a negative count or cost, NaN, more
    than 64 bits) are dropped, and so never recorded, counted or paid. A `text` of another type is a
    failure."""

    text: str
    reasoning: str | None = None
    finish_reason: str | None = None
    native_finish_reason: str | None = None
    error_kind: ErrorKind = "none"
    error: str | None = None
    """One line without secrets; None without an error. With kind "none", it names ignored parts."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_image: int | None = None
    cost_usd: float | None = None
    latency_s: float = 0.0
    attempts: int = 1
    retry_after_s: float | None = None
    model_version: str | None = None
    service_tier: ServedTier | None = None
    """The price tier that served the call; None if the provider did not state it."""
    started_at: str = ""
    """UTC, ISO 8601."""
    failed_attempts: tuple[Attempt, ...] = ()
    """The attempts before this one, in order."""
    presumed_usd: float = 0.0
    """Worst cases of the attempts whose cost stayed unknown. Only budgets count them."""
    quota: Quota | None = None
    """Only for the Limiter; never recorded."""
    closed_scope: str | None = None
    """Scope of the spent budget or unreachable model; only for the engine, never recorded."""

    @property
    def is_cut(self) -> bool:
        """Whether the reply was cut short, or ended for an unknown reason."""
        return self.finish_reason in CUT_SHORT

    def __post_init__(self) -> None:
        """Drop values that fit no column."""
        if not isinstance(self.text, str):
            if self.error_kind == "none":
                object.__setattr__(self, "error_kind", "internal")
                kind = type(self.text).__name__
                object.__setattr__(self, "error", f"the reply's text is a {kind}")
            object.__setattr__(self, "text", "")
        keep_fitting(self, _REPLY_FITS)


_ATTEMPT_FITS: Fits = {
    "started_at": lambda value: text_or_none(value) or "",
    "latency_s": lambda value: bounded_float(value) or 0.0,
    "error_kind": lambda value: value if value in ERROR_KINDS else "internal",
    "error": text_or_none,
    "cost_usd": bounded_float,
}
_REPLY_FITS: Fits = {
    **_ATTEMPT_FITS,
    **dict.fromkeys(("reasoning", "finish_reason", "model_version", "closed_scope"), text_or_none),
    "native_finish_reason": text_or_none,
    **dict.fromkeys(("tokens_in", "tokens_out", "tokens_cached", "tokens_image"), bounded_int),
    "attempts": lambda value: 1 if (n := bounded_int(value, high=2**31 - 1)) is None else n,
    "retry_after_s": bounded_float,
    "service_tier": lambda value: value if value in SERVED_TIERS else None,
    "failed_attempts": lambda value: value if isinstance(value, tuple) else (),
    "presumed_usd": lambda value: bounded_float(value) or 0.0,
    "quota": lambda value: value if isinstance(value, Quota) else None,
}
_QUOTA_FIGURES = ("requests_left", "requests_reset_s", "tokens_left", "tokens_reset_s")
_QUOTA_FITS: Fits = {
    # A rate below one call per hour would stop a key for good.
    **dict.fromkeys(("rpm", "tpm"), lambda value: bounded_float(value, 1 / 60)),
    **dict.fromkeys(_QUOTA_FIGURES, bounded_float),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """What a playing episode receives in answer to a request."""

    observation: Observation
    reply: Reply


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an episode ended.

    Args:
        terminated: it came to its natural end (as in Gymnasium).
        truncated: a bound ended it.
        error_kind: why it failed, else "none"; a failed episode is neither terminated nor
            truncated.
        fields: the family's columns of the episode row.
        steps: the family's columns of each request's row, in the order of the requests.
    """

    terminated: bool
    truncated: bool
    error_kind: ErrorKind
    fields: Facts
    steps: tuple[Facts, ...]


Play: TypeAlias = Generator[Ask, Turn, Outcome]
"""An episode in progress: yields asks, receives turns, returns its outcome."""


class FrameRenderer(Protocol):
    """Draws views; created and used on one thread."""

    def draw(self, view: View) -> Frame:
        """Draw a view, or raise RenderError."""
