"""Kills at random times, and what was under way when each of them struck.

Knows the processes, the server and the records; does not judge what is found there.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from json import loads
from time import monotonic, sleep
from typing import TypeAlias

import numpy as np
from command import ACTORS, OUTLIVED, WHOLE, Command, Life, name_of
from ray.thirdparty_files import psutil
from witness import Call, Witness, seed_of

from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.shards.reader import sealed_batches

Ask: TypeAlias = tuple[str, int]
"""Episode id and index of an ask."""

KILLED = -9
LOSES_CALLS = frozenset({"Provider", *WHOLE}) - {"gcs"}
"""With whom calls under way are lost; when others die they are answered and recorded."""

GONE_WITHIN_S = 60.0
GIVEN_UP_WITHIN_S = 240.0

RAYS_OWN = ("ray::DashboardA", "ray::RuntimeEnv")
"""They look now and then whether their raylet is alive, and touch nothing of ours."""

IDLE_S = 1.0
POLL_S = 0.03


@dataclass(frozen=True, slots=True)
class Strike:
    """One kill.

    Args:
        at_s: when, on the steady clock.
        durable: ask → number of the call whose reply the records held right after it.
        in_flight: the calls taken before whose ask had no durable reply, those that an earlier
            strike caught among them. Empty where the victim loses none.
        answered: those of them that had been answered before it struck.
    """

    victim: str
    at_s: float
    durable: Mapping[Ask, int]
    in_flight: frozenset[int]
    answered: frozenset[int]

    @property
    def is_whole(self) -> bool:
        return self.victim in WHOLE

    def __str__(self) -> str:
        return f"{self.victim} ({len(self.in_flight)})" if self.in_flight else self.victim


@dataclass(frozen=True, slots=True)
class Moment:
    """When to strike: after so many further calls, or once none come any more, and a while.

    Args:
        holds: the last of these calls, and all others from there on, are answered only after the
            blow: however slow this process is, the run cannot be over before.
    """

    calls: int
    delay_s: float = 0.0
    holds: bool = False


def some_moment(rng: np.random.Generator, latency_s: float) -> Moment:
    """Mostly while it plays, in any phase of a call; every fifth at any time from the start on."""
    if rng.random() < 0.2:
        return Moment(0, float(rng.uniform(0.0, 3.0)))
    return Moment(int(rng.integers(1, 10)), float(rng.uniform(0.0, 2 * latency_s)))


def some_victim(rng: np.random.Generator) -> str:
    """An actor seven times out of ten, else all of them at once."""
    if rng.random() < 0.7:
        return str(rng.choice(ACTORS))
    return str(rng.choice(WHOLE, p=[0.1, 0.2, 0.2, 0.3, 0.2]))


def wait_for(moment: Moment, life: Life, witness: Witness) -> bool:
    """False where the command ended before."""
    began = last = witness.count()
    if moment.holds:
        witness.server.hold(at=began + moment.calls)
    changed_s = monotonic()
    while not life.ended and last < began + moment.calls:
        sleep(POLL_S)
        if (count := witness.count()) != last:
            last, changed_s = count, monotonic()
        elif last > began and monotonic() - changed_s > IDLE_S and not moment.holds:
            break
    until_s = monotonic() + moment.delay_s
    while not life.ended and monotonic() < until_s:
        sleep(POLL_S)
    return not life.ended


def strike(
    kind: str, life: Life, witness: Witness, command: Command, rng: np.random.Generator
) -> Strike | None:
    """Kills one victim of that kind with -9; None where the command ended before it was there."""
    while not (victims := life.victims(kind)):
        if life.ended:
            return None
        sleep(POLL_S)
    if kind in ACTORS:
        victims = [victims[int(rng.integers(len(victims)))]]
    dying = _all_of_ours(life) if kind in WHOLE else victims
    # The head restarts a dead Recorder. If it dies before that, calls in flight are lost, too.
    loses = kind in LOSES_CALLS or (kind == "gcs" and not life.victims("Recorder"))
    at_s = monotonic()
    for victim in victims:
        try:
            victim.kill()
        except psutil.NoSuchProcess:
            return None
    if not loses:
        witness.server.release()
    if kind in WHOLE:
        code = life.driver.wait(GIVEN_UP_WITHIN_S)
        if kind not in OUTLIVED and code != KILLED:
            return None
    _, alive = psutil.wait_procs(dying, GONE_WITHIN_S)
    assert not alive, f"{kind} killed, but these live on: {alive}"
    calls = witness.calls_of_the_dead() if loses else ()
    durable = durable_replies(command)
    lost = _without_reply(calls, durable)
    answered = [one for one in lost if one.answered_s is not None and one.answered_s < at_s]
    return Strike(kind, at_s, durable, _numbers(lost), _numbers(answered))


def _numbers(calls: Iterable[Call]) -> frozenset[int]:
    return frozenset(one.number for one in calls)


def _all_of_ours(life: Life) -> list[psutil.Process]:
    return [one for one in life.processes() if not name_of(one).startswith(RAYS_OWN)]


def durable_replies(command: Command) -> dict[Ask, int]:
    """Ask → number of the call whose reply stands in the records.

    The journal is read before the shards: what leaves it meanwhile is in a shard already.
    """
    found: dict[Ask, int] = {}
    journal = command.out / JOURNAL_NAME
    if journal.exists():
        with closing(sqlite3.connect(f"{journal.as_uri()}?mode=ro", uri=True)) as db:
            try:
                rows = db.execute("select episode_id, ask_index, reply from reply where final")
                for episode_id, ask, reply in rows:
                    found[episode_id, ask] = number_of(loads(reply)["model_version"])
            except sqlite3.OperationalError as error:
                if "no such table" not in str(error):  # killed before it had any
                    raise
    for batch in sealed_batches(str(command.out)):
        for row in batch.steps.to_pylist():
            if row["model_version"] is not None:
                found[row["episode_id"], row["ask"]] = number_of(row["model_version"])
    return found


def number_of(model_version: str) -> int:
    """Which call a reply came from."""
    return int(model_version.rpartition("call-")[2])


def _without_reply(calls: tuple[Call, ...], durable: Mapping[Ask, int]) -> list[Call]:
    seeds = {seed_of(episode_id, ask) for episode_id, ask in durable}
    return [one for one in calls if one.seed not in seeds]
