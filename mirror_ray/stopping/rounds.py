"""Rounds: which episodes of a question are due, and which will not be played any more.

A decision is made once every episode of a round has ended, on this and all earlier rounds. So it
depends on the plan and on the replies, never on speed or interruptions."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.records.decisions import StoppingDecision, read_decisions
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.stopping.deciding import decide, open_models
from mirror_ray.stopping.shared_units import StoppingQuestion, questions_of
from mirror_ray.sweep.decidable import until_of
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.plan import Until


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a question: its number from 1, all units `asked` up to its end, its own units,
    and the models that play in it."""

    number: int
    asked: tuple[str, ...]
    units: tuple[str, ...]
    models: tuple[str, ...]


def due(
    question: StoppingQuestion,
    until: Until,
    decisions: Sequence[StoppingDecision],
    ended: Collection[str],
    scores: Callable[[], Mapping[str, float]],
) -> tuple[tuple[EpisodeSpec, ...], tuple[StoppingDecision, ...]]:
    """Return the first incomplete round's episodes, and what earlier rounds newly decide.

    Args:
        decisions: those of the run directory.
        ended: ids of ended episodes, including those with an error.
        scores: returns the score of each ended episode by id; one with an error has none.
    """
    known = decisions_on(question, until, decisions)
    n_before = len(known)
    for one in _rounds(question, until, known):
        missing = [
            spec
            for model in one.models
            for spec in question.of(model, one.units)
            if spec.episode_id not in ended
        ]
        if missing:
            return tuple(missing), tuple(known[n_before:])
        if one.models:
            known += decide(question, until, one.asked, known, number=one.number, scores=scores())
    return (), tuple(known[n_before:])


def settled_ids(
    question: StoppingQuestion, until: Until, decisions: Sequence[StoppingDecision]
) -> frozenset[str]:
    """Return ids of the episodes that will not be played, given the decisions so far."""
    known = decisions_on(question, until, decisions)
    return frozenset(
        spec.episode_id
        for one in _rounds(question, until, known)
        for model in question.models
        if model not in one.models
        for spec in question.of(model, one.units)
    )


def decisions_on(
    question: StoppingQuestion, until: Until, decisions: Sequence[StoppingDecision]
) -> list[StoppingDecision]:
    """Return the decisions on this question as planned now; none if its number of units differs."""
    return [
        one
        for one in decisions
        if (one.family, one.condition, one.temperature, one.variant, one.rule, one.n_planned)
        == (
            question.family,
            question.condition,
            question.temperature,
            question.variant,
            until.rule,
            len(question.units),
        )
    ]


def _rounds(
    question: StoppingQuestion, until: Until, known: Sequence[StoppingDecision]
) -> Iterator[Round]:
    asked: tuple[str, ...] = ()
    for number, units in enumerate(question.rounds(until.round_units), start=1):
        asked += units
        before = [one for one in known if one.round < number]
        yield Round(number, asked, units, open_models(question, until, before))


def settled_in(out: str, until: Until | None, episodes: Sequence[EpisodeSpec]) -> frozenset[str]:
    """Return ids of settled `episodes` of the whole plan without a final end; none without a rule.
    Raise RunDirError if the decisions or a shard cannot be read."""
    decisions = () if until is None else read_decisions(out)
    if until is None or not decisions:
        return frozenset()
    settled = frozenset[str]().union(
        *(settled_ids(one, until, decisions) for one in questions_of(episodes))
    )
    ended = {one for one, (_, kind) in finished_episodes(out).items() if kind in FINAL_KINDS}
    return settled - ended


def settled_of(
    out: str, manifest: Mapping[str, Any], episodes: Sequence[EpisodeSpec]
) -> frozenset[str]:
    """Like `settled_in`, but by the rule in the manifest. Raise SweepError if that is invalid."""
    keys = SweepKeys.model_validate(manifest["sweep"])
    return settled_in(out, until_of(keys.until, out), episodes)
