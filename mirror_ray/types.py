"""The core types every package speaks: cell, episode, ask, observation, reply, turn, outcome.

Knows identities (content hashes) and seeding; does not know any family, world, provider or Ray.
All are frozen: an episode is a deterministic generator over them, and a record of one is a value.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from json import JSONEncoder, dumps
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

Scalar: TypeAlias = str | int | float | bool
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


# Made once: a resume names hundreds of thousands of episodes, and `dumps` makes one each time.
_CANONICAL = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def content_hash(*parts: object) -> str:
    """First 16 hex digits of the SHA-256 of the parts' canonical JSON: stable across machines."""
    return sha256(_CANONICAL.encode(parts).encode()).hexdigest()[:16]


def seeded(*identity: object) -> np.random.Generator:
    """A generator whose stream depends on the identity alone."""
    digest = sha256(dumps(identity, separators=(",", ":"), ensure_ascii=True).encode()).digest()
    return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest, "big")))


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of the sweep: everything that is the same for all its episodes.

    Args:
        models: (role, model name) pairs, the subject first.
        temperature: requested sampling temperature; None leaves it to the provider.
        variant: the named protocol or prompt variant.
        axes: (name, value) of the family's axes that differ from their defaults, sorted by
            name, so that a new axis does not change the identity of old cells.
    """

    family: str
    condition: str
    models: tuple[tuple[str, str], ...]
    temperature: float | None
    variant: str
    axes: tuple[tuple[str, Scalar], ...] = ()

    @property
    def cell_id(self) -> str:
        """Content hash of all fields."""
        return _cell_id(self)

    @property
    def model(self) -> str:
        """What the `model` column says: the subject, or all seats joined by ``+``."""
        return "+".join(name for _, name in self.models)

    def seat(self, role: str) -> str:
        """The model sitting in `role`; KeyError when nobody does."""
        return dict(self.models)[role]

    @property
    def variant_label(self) -> str:
        """What the `variant` column says: ``paper``, or ``paper+fov_deg=90`` off the defaults."""
        return "+".join([self.variant, *(f"{name}={value}" for name, value in self.axes)])


@lru_cache(maxsize=4_096)
def _cell_id(cell: Cell) -> str:
    """Remembered: every ask of every episode names its cell."""
    return content_hash(
        cell.family, cell.condition, cell.models, cell.temperature, cell.variant, cell.axes
    )


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """One episode of a cell. (scene_seed, run) names the scene, which every model meets alike.

    Args:
        given: what a listing gave it, JSON-able: a question, or what an earlier stage's episode
            came to.
        places: name → path of the files it draws from, as they lie now: no part of its identity.
    """

    cell: Cell
    scene_seed: int
    run: int
    given: Facts = field(default_factory=dict, hash=False, repr=False)
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    episode_id: str = field(init=False, compare=False, repr=False)
    """Content hash of cell, scene seed, run and, if there is anything, of what is given."""

    def __post_init__(self) -> None:
        # Once for all: a sweep of 200,000 episodes asks for it again and again.
        given = (self.given,) if self.given else ()
        episode_id = content_hash(self.cell.cell_id, self.scene_seed, self.run, *given)
        object.__setattr__(self, "episode_id", episode_id)

    def rng(self) -> np.random.Generator:
        """The stream of this episode alone."""
        return seeded("episode", self.episode_id)

    def scene_rng(self, purpose: str) -> np.random.Generator:
        """The stream of this episode's scene: equal over models, conditions and axes.

        Conditions share it on purpose: E1, E2 and E3 of one (scene_seed, run) are twins that
        differ in the manipulation only, so that conditions can be compared in pairs.
        """
        return seeded("scene", self.cell.family, self.scene_seed, self.run, purpose)


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
