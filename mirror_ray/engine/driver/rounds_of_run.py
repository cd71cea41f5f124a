"""The rounds of a sweep with `until`: what is due, what was decided and recorded, and what will not
be played."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.driver.earlier_runs import ResumeState
from mirror_ray.records.decisions import StoppingDecision, read_decisions, write_decisions
from mirror_ray.stopping.rounds import due, settled_ids
from mirror_ray.stopping.shared_units import questions_of
from mirror_ray.sweep.plan import Plan, Until

ReadScores: TypeAlias = Callable[[str, Mapping[str, str]], Mapping[str, float]]
"""Returns the score of each sealed episode of a run directory, given each family's metric."""


def no_scores(_out: str, _metrics: Mapping[str, str]) -> Mapping[str, float]:
    """Return no scores: the run has nothing to decide."""
    raise ValueError("a sweep with `until` needs scores to decide by")


@dataclass(frozen=True, slots=True)
class NextRound:
    """What is to be played now. `settled` counts, by model, the episodes that will not be played.
    `words` state, for people, what was decided and what keeps a round open."""

    left: tuple[EpisodeSpec, ...]
    settled: Counter[str]
    words: tuple[str, ...]


class Rounds:
    """The rounds of a plan within one run; `read_scores` reads the sealed scores."""

    def __init__(self, plan: Plan, until: Until, read_scores: ReadScores) -> None:
        self._plan, self._until, self._read_scores = plan, until, read_scores
        self._questions = questions_of(plan.episodes)

    def next(self, state: ResumeState, tried: Collection[str]) -> NextRound:
        """Decide on every complete round, durably, and return what is due then.

        Args:
            state: of the records, with all ended episodes sealed.
            tried: ids of episodes that this run has played. A question whose due episodes it has
                tried in vain is left to a later run.

        Raises:
            RunDirError: the records cannot be read or written.
        """
        out = self._plan.sweep.out
        metrics = {one.family: one.metric for one in self._questions}
        scores = cache(lambda: self._read_scores(out, metrics))
        recorded = read_decisions(out)
        new: list[StoppingDecision] = []
        due_ids: set[str] = set()
        stuck = 0
        for question in self._questions:
            missing, decided = due(question, self._until, recorded, state.ended, scores)
            new += decided
            if any(spec.episode_id in tried for spec in missing):
                stuck += 1
            else:
                due_ids.update(spec.episode_id for spec in missing)
        if new:
            write_decisions(out, (*recorded, *new))
        left = tuple(spec for spec in state.left if spec.episode_id in due_ids)
        words = tuple(filter(None, (_decided(new), _due(left), _stuck(stuck))))
        return NextRound(left, self._settled((*recorded, *new), state.ended), words)

    def _settled(
        self, decisions: tuple[StoppingDecision, ...], ended: Collection[str]
    ) -> Counter[str]:
        ids = frozenset[str]().union(
            *(settled_ids(one, self._until, decisions) for one in self._questions)
        )
        return Counter(
            spec.cell.model
            for spec in self._plan.episodes
            if spec.episode_id in ids and spec.episode_id not in ended
        )


def _decided(new: list[StoppingDecision]) -> str:
    if not new:
        return ""
    verdicts = Counter(one.verdict for one in new)
    return f"Settled: {', '.join(f'{n:,} {verdict}' for verdict, n in verdicts.items())}."


def _due(left: tuple[EpisodeSpec, ...]) -> str:
    return f"Next round: {len(left):,} episodes." if left else ""


def _stuck(questions: int) -> str:
    if not questions:
        return ""
    return (
        f"{questions:,} questions wait for episodes of a round that did not end: nothing more is"
        " asked of them before the same command resumes."
    )
