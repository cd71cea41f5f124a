"""The interface of a task family: conditions, axes, columns, and the function that plays.

`mirror_ray.contract.registry.FAMILIES` lists the families."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

import numpy as np
import pyarrow as pa

from mirror_ray.contract.listing import SUBJECT, Listing
from mirror_ray.contract.metric import FamilyMetrics
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.core.types import Ask, Facts, Outcome, Play, Turn
from mirror_ray.reading.replies.template_tokens import FIX, without_template_tokens
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

Structured = Literal["none", "json", "schema", "schema_where_taken"]
"""The format that a provider is asked to enforce: none, a JSON object, or a JSON schema.
"schema_where…" sends the schema only to models that accept one, so it mixes two protocols.
"""


_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting that a sweep may vary.

    Args:
        default: its value if a sweep does not set it; defaults do not enter a cell's identity.
        meaning: one line for `--help` and for error messages.
        choices: the only allowed values, if they can be listed.
        minimum, maximum: inclusive bounds of a number.
        is_path: it names a file or folder, relative to the sweep file; only for options.
    """

    default: Scalar
    meaning: str
    choices: tuple[Scalar, ...] | None = None
    minimum: float | None = None
    maximum: float | None = None
    is_path: bool = False

    def checked(self, value: Any, where: str) -> Scalar:
        """Return the value in the axis's own type. Raise SweepError, naming `where` (file and key),
        if it has another type or is out of bounds."""
        wanted: type = type(self.default)
        if wanted is float and type(value) is int:
            value = float(value)
        # A choice such as "5" need not be quoted in a sweep file.
        if wanted is str and type(value) is int and self.choices and str(value) in self.choices:
            value = str(value)
        # `True == 1`: comparing the exact type keeps a switch from being taken for a number.
        of_its_type = type(value) is wanted
        if (
            of_its_type
            and (self.choices is None or value in self.choices)
            and (self.minimum is None or value >= self.minimum)
            and (self.maximum is None or value <= self.maximum)
        ):
            return cast("Scalar", value)
        raise SweepError(where, repr(value), self._allowed(), f"e.g. {self.default!r}, the default")

    def _allowed(self) -> str:
        if self.choices is not None:
            return "one of " + ", ".join(map(str, self.choices))
        bounds = [
            f"{sign} {bound:g}"
            for sign, bound in (("≥", self.minimum), ("≤", self.maximum))
            if bound is not None
        ]
        kind = " ".join([_KINDS[type(self.default)], " and ".join(bounds)]).strip()
        return f"{kind}: {self.meaning}"


@dataclass(frozen=True, slots=True)
class Scoring:
    """The score by which a sweep's `until` decides.

    Args:
        metric: an episode's score from 0 to 1, a column of ``episode.<family>``.
        unit: names the independent unit of an episode, as ``cluster`` does there.
    """

    metric: str
    unit: Callable[[EpisodeSpec], str]


@dataclass(frozen=True, slots=True)
class Family:
    """A benchmark.

    Args:
        conditions: name → what it manipulates.
        variants: name → what it changes; the first is the default.
        axes: name → Axis; the names are also keys of a sweep's stages.
        only_in: variant or axis → the conditions in which it changes anything; in others the same
            episodes would be paid for twice. If it is missing: all conditions.
        apart: axis → the axes that may not be off their defaults together with it, with the reason.
        step_columns, episode_columns: the family's typed columns besides the common ones.
        fact_columns: the step columns with a request's facts, under the same names. Sealed requests
            are read back from them, so that an episode can be played from its rows.
        play: plays one episode; everything random in it comes from the spec's streams or the rng.
        max_asks: bound on the requests in one episode of this cell, for plans and budgets.
        sampled_by: two offline agents that bracket a model in forecasts: one looks at every picture
            and acts directly, the other wanders to the end without looking.
        rehearsed_by: the agent that replaces a hosted model in a rehearsal, if the second of
            `sampled_by` reads the truth, which no hosted model gets.
        draws: its episodes show pictures.
        shows: names what an episode's scene shows, where several scenes show the same; None: every
            scene shows something different.
        listings: condition → how its episodes are listed, unless as seeds × runs.
        listing_by_axes: the listing of cells that depend on other stages because of their axes;
            None for all others.
        options: name → Axis; keys of a stage that do not vary and are not part of a cell's
            identity; the things they name are `given` to episodes.
        protocol: the version of its protocol, a part of every cell's identity. It rises when the
            family's requests or play change under the same names.
        structured: response format requested in addition to the prompt; None requests none.
        scoring: what `until` decides by; None: it cannot be used.
        beside: role (also a stage's key) → the conditions in which another model takes part.
        metrics: its metrics; a family of another package without them is refused.
    """

    name: str
    conditions: Mapping[str, str]
    variants: Mapping[str, str]
    axes: Mapping[str, Axis]
    step_columns: pa.Schema
    episode_columns: pa.Schema
    fact_columns: tuple[str, ...]
    play: Callable[[EpisodeSpec, np.random.Generator], Play]
    max_asks: Callable[[EpisodeSpec], int]
    sampled_by: tuple[str, str]
    rehearsed_by: str | None = None
    draws: bool = True
    shows: Callable[[EpisodeSpec], str] | None = None
    only_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    apart: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    listings: Mapping[str, Listing] = field(default_factory=dict)
    listing_by_axes: Callable[[Cell], Listing | None] | None = None
    options: Mapping[str, Axis] = field(default_factory=dict)
    protocol: int = 1
    structured: Callable[[Cell], Structured] | None = None
    scoring: Scoring | None = None
    metrics: FamilyMetrics | None = None
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def roles(self) -> dict[str, tuple[str, ...]]:
        """The keys of a stage that name models, each with the conditions that it applies to."""
        found: dict[str, tuple[str, ...]] = {}
        for condition, listing in self.listings.items():
            if listing.role != SUBJECT:
                found[listing.role] = (*found.get(listing.role, ()), condition)
        return found

    @property
    def schemas(self) -> tuple[pa.Schema, pa.Schema]:
        """All columns of its steps' rows and of its episodes' rows, the common ones first."""
        return (
            with_family_columns(STEPS, self.step_columns),
            with_family_columns(EPISODES, self.episode_columns),
        )

    def listing_of(self, cell: Cell) -> Listing | None:
        """Return how a cell's episodes are listed; None: as seeds × runs."""
        by_axes = self.listing_by_axes(cell) if self.listing_by_axes else None
        return by_axes or self.listings.get(cell.condition)

    def axis(self, spec: EpisodeSpec, name: str) -> Scalar:
        """Return the value of an axis for this episode, or its default."""
        return dict(spec.cell.axes).get(name, self.axes[name].default)

    def shown_by(self, spec: EpisodeSpec) -> str | None:
        """Return a name of the pictures' content, equal for all models; None without pictures."""
        if not self.draws:
            return None
        what = self.shows(spec) if self.shows else f"{spec.scene_seed} {spec.run}"
        return f"{self.name} {what}"


def scene_of(spec: EpisodeSpec) -> str:
    """Return the independent unit, for families in which each run of a seed draws another scene."""
    return f"{spec.scene_seed}.{spec.run}"


def advance(play: Play, turn: Turn | None = None) -> Ask | Outcome:
    """Pass an episode a turn, or start it without one; return its next request or its end.

    A family never sees the special tokens that a chat template left around a reply."""
    try:
        return next(play) if turn is None else play.send(_plain(turn))
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome


def first_ask(family: Family, spec: EpisodeSpec) -> Ask:
    """Return an episode's first request without sending it. Raise ValueError if it has none."""
    with closing(family.play(spec, spec.rng())) as play:
        reached = advance(play)
    if not isinstance(reached, Ask):
        raise ValueError(f"episode {spec.episode_id} asks nothing")
    return reached


def _plain(turn: Turn) -> Turn:
    text = without_template_tokens(turn.reply.text)
    if text == turn.reply.text:
        return turn
    return replace(turn, reply=replace(turn.reply, text=text))


def with_fixes_before_reading(columns: Facts, text: str) -> Facts:
    """Add what `advance` removed from the reply to the `parse_fixes` of a step's columns. `text` is
    the reply as recorded."""
    if without_template_tokens(text) == text:
        return columns
    status = columns.get("parse_status")
    fixes = (FIX, *(columns.get("parse_fixes") or ()))
    return {
        **columns,
        "parse_fixes": list(fixes),
        "parse_status": "cleaned" if status == "strict" else status,
    }
