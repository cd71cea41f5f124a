"""What must hold of a round's calls, rows, journal and money, whatever was killed when.

Knows the server's list of calls, what was durable at each kill, and the rows; starts nothing.
"""

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import astuple, dataclass
from typing import Any

import pytest
from command import OUTLIVED, SEATS, Command
from rounds import BUDGET_REACHED, DONE, LOST, SOME_FAILED, Story
from strikes import KILLED, number_of
from witness import Call, Witness, seed_of

from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.so_far import spent_so_far
from mirror_ray.replay.rescore import rescore
from support.shard_rows import TIMINGS, WIRE, rows_of, without

Rows = dict[str, list[dict[str, Any]]]

DURABLE_WITHIN_S = 1.0
"""How much older than the newest durable answer one that was not durable may be. An answer travels,
waits up to 0.05 s for company, is sent on and committed: 0.1 s in all on an idle machine."""

RESTARTED_WITHIN_S = 20.0
"""From a Recorder's death until it has committed all that waited for it."""

STOPPED_WITHIN_S = 2.0
"""From a kill to the last call of anybody who dies of it."""


@dataclass(frozen=True, slots=True)
class Again:
    """Calls that were bought again after kills of one kind: all others were under way at them.

    Args:
        answered: before the kill, at most `DURABLE_WITHIN_S`.
        taken: after it, at most `STOPPED_WITHIN_S`.
    """

    kills: int = 0
    calls: int = 0
    answered: int = 0
    taken: int = 0

    def __add__(self, other: "Again") -> "Again":
        return Again(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.calls} calls bought again: {self.answered} answered just"
            f" before, {self.taken} taken just after, {self.calls - self.answered - self.taken}"
            " under way"
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A round in figures.

    Args:
        lost: calls under way at a kill that loses them; `answered` of them had been answered, but
            not recorded.
        again: by victim.
    """

    victims: Counter[str]
    calls: int
    distinct: int
    lost: int
    answered: int
    again: Mapping[str, Again]

    @property
    def bought_again(self) -> int:
        return self.calls - self.distinct


def rows_that_stand(command: Command) -> Rows:
    """The latest take of every episode, but for clock, wire, call number and take."""
    found = {}
    episodes = rows_of(command.out, "episodes")
    latest = {row["episode_id"]: row["take"] for row in episodes}
    for kind in ("steps", "episodes"):
        standing = [
            row for row in rows_of(command.out, kind) if row["take"] == latest[row["episode_id"]]
        ]
        found[kind] = without(standing, TIMINGS | WIRE | {"model_version", "take"})
    return found


def judge(command: Command, witness: Witness, story: Story) -> Found:
    """Checks all that holds whatever the replies are."""
    calls = witness.calls()
    _check_exit_codes(story)
    steps = rows_of(command.out, "steps")
    _check_rows(steps, calls, story)
    found = _check_calls(steps, calls, story)
    _check_order(steps, calls)
    _check_money(command, calls, story)
    _check_journal_is_pruned(command)
    # Played again from their own replies, the episodes come to the very same rows.
    anew = rescore(str(command.out), dry_run=True)
    assert (anew.changed, anew.left) == (0, ())
    return found


def judge_budget(witness: Witness, budget_usd: float) -> None:
    """Nothing is spent beyond a budget, though replies were lost at kills and are bought again."""
    assert sum(one.usd for one in witness.calls()) <= budget_usd + 1e-9


def lost_calls(story: Story) -> frozenset[int]:
    return frozenset().union(*(one.in_flight for one in story.strikes))


def _answered_in_vain(story: Story) -> int:
    """Calls that had been answered when the first strike caught them, but not yet recorded."""
    caught: set[int] = set()
    count = 0
    for one in story.strikes:
        count += len(one.answered - caught)
        caught |= one.in_flight
    return count


def _check_exit_codes(story: Story) -> None:
    *before, last = story.exit_codes
    assert last == DONE
    felled = [one.victim for one in story.strikes if one.is_whole]
    # An episode at whose same ask three Simulators died has failed; the next run plays it again.
    assert before.count(SOME_FAILED) <= sum(one.victim == "Simulator" for one in story.strikes) // 3
    by_itself = [code for code in before if code not in (KILLED, LOST, SOME_FAILED)]
    outlived = sum(victim in OUTLIVED for victim in felled)
    assert before.count(KILLED) == len(felled) - outlived
    assert before.count(LOST) <= outlived
    assert by_itself in ([], [BUDGET_REACHED])


def _check_rows(steps: list[dict[str, Any]], calls: tuple[Call, ...], story: Story) -> None:
    """Each reply was really given to that very ask, stands once, and is the first durable one."""
    by_number = {one.number: one for one in calls}
    seen = set()
    for row in steps:
        key = (row["episode_id"], row["take"], row["ask"])
        assert key not in seen, f"a row twice: {key}"
        seen.add(key)
        if row["model_version"] is None:
            assert row["error_kind"] != "none"
            continue
        call = by_number[number_of(row["model_version"])]
        assert call.seed == seed_of(row["episode_id"], row["ask"])
        assert row["reply"] == call.text
        assert row["cost_usd"] == pytest.approx(call.usd)
    standing = _standing(steps)
    for one in story.strikes:
        for ask, number in one.durable.items():
            assert standing[ask] == number, f"{ask} was durable when the {one.victim} was killed"


def _check_calls(steps: list[dict[str, Any]], calls: tuple[Call, ...], story: Story) -> Found:
    """Calls = distinct asks + those under way at a kill: exactly, call by call."""
    standing = _standing(steps)
    asks: defaultdict[int, list[int]] = defaultdict(list)
    for one in calls:
        asks[one.seed].append(one.number)
    assert set(asks) == {seed_of(*ask) for ask in standing}, "an ask that no row tells of"
    lost = lost_calls(story)
    repeated = {number for numbers in asks.values() for number in numbers[:-1]}
    assert repeated <= lost, "a call was made again that was under way at no kill"
    surely_lost = frozenset().union(*(one.in_flight for one in story.strikes if one.is_whole))
    assert surely_lost.isdisjoint(standing.values()), "a reply stands that nobody was left to keep"
    seeds = {one.number: one.seed for one in calls}
    for one in story.strikes:
        assert len({seeds[number] for number in one.in_flight}) <= SEATS
    return Found(
        victims=Counter(one.victim for one in story.strikes),
        calls=len(calls),
        distinct=len(asks),
        lost=len(lost),
        answered=_answered_in_vain(story),
        again=_check_kills(story, {one.number: one for one in calls}, repeated),
    )


def _check_kills(
    story: Story, calls: Mapping[int, Call], repeated: Collection[int]
) -> dict[str, Again]:
    """What is bought again was under way when the first strike that caught it struck.

    Within bounds: what was answered just before may not have been durable, and whoever dies of a
    victim's death may have sent a call just after. "Before" is reckoned from the newest answer that
    was durable, or from a Recorder's death shortly before: it commits nothing until it has
    restarted, for which a busy machine takes seconds, and who waited out a pause then is overtaken.
    """
    found: defaultdict[str, Again] = defaultdict(Again)
    caught: set[int] = set()
    recorder_died_s = -math.inf
    for one in story.strikes:
        durable_s = [calls[number].answered_s or 0.0 for number in one.durable.values()]
        newest_s = min(one.at_s, max(durable_s, default=one.at_s))
        if one.at_s - recorder_died_s < RESTARTED_WITHIN_S:
            newest_s = min(newest_s, recorder_died_s)
        if one.victim == "Recorder":
            recorder_died_s = one.at_s
        again = [calls[number] for number in one.in_flight & set(repeated) - caught]
        caught |= one.in_flight
        answered_s = [call.answered_s for call in again if call.answered_s is not None]
        for call in again:
            assert call.answered_s is None or call.answered_s > newest_s - DURABLE_WITHIN_S, (
                f"{call} was bought again, answered long before the {one.victim} was killed"
            )
            assert call.taken_s < one.at_s + STOPPED_WITHIN_S, (
                f"{call} was bought again, made long after the {one.victim} was killed"
            )
        found[one.victim] += Again(
            kills=1,
            calls=len(again),
            answered=sum(at_s < one.at_s for at_s in answered_s),
            taken=sum(call.taken_s > one.at_s for call in again),
        )
    return dict(found)


def _check_order(steps: list[dict[str, Any]], calls: tuple[Call, ...]) -> None:
    """Nothing is acted on before it is durable: no ask is repeated after its successor."""
    ask_of = {seed_of(*ask): ask for ask in _standing(steps)}
    reached: Counter[str] = Counter()
    for call in calls:
        episode_id, ask = ask_of[call.seed]
        assert ask >= reached[episode_id], f"ask {ask} of {episode_id} made after its successor"
        assert ask <= reached[episode_id] + 1
        reached[episode_id] = ask


def _check_money(command: Command, calls: tuple[Call, ...], story: Story) -> None:
    """The ledger holds what every call cost whose reply was recorded, and no other's."""
    usd = {one.number: one.usd for one in calls}
    ledger_usd = sum(spent_so_far(str(command.out)).values())
    whole = frozenset().union(*(one.in_flight for one in story.strikes if one.is_whole))
    at_most = sum(usd[number] for number in usd.keys() - whole)
    at_least = sum(usd[number] for number in usd.keys() - lost_calls(story))
    assert at_least - 1e-9 <= ledger_usd <= at_most + 1e-9


def _check_journal_is_pruned(command: Command) -> None:
    with closing(sqlite3.connect(command.out / JOURNAL_NAME)) as db:
        assert db.execute("select * from reply").fetchall() == []
        assert db.execute("select * from finished").fetchall() == []


def _standing(steps: list[dict[str, Any]]) -> dict[tuple[str, int], int]:
    """Ask → number of the call whose reply its latest row holds."""
    return {
        (row["episode_id"], row["ask"]): number_of(row["model_version"])
        for row in steps
        if row["model_version"] is not None
    }
