"""Kills parts of a run at random times, a hundred in all, and checks everything after each round.

    python tests/chaos/hundred_kills.py [--kills 100] [--seed 0] [--minutes 0] [--victims gcs]

Rounds take turns: replies that are the same whenever an ask is made, so that rows can be compared
with an undisturbed run's; replies that differ from call to call; and a budget that is spent midway
and raised then. One line per round, with the calls that each kill caught under way in brackets; a
tally at the end; exit code 1 at the first round that failed.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from traceback import print_exc

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from command import Command
from findings import Again, Found, Rows, judge, judge_budget, rows_that_stand
from rounds import BUDGET_REACHED, DONE, SOME_FAILED, Story, play_round, random_blows
from witness import witness_server

from support.shard_rows import assert_same_rows

KILLS_PER_ROUND = 10
LATENCY_S = 0.4
BUDGET_SHARE = 0.5
"""Of what an undisturbed run costs."""

ROUNDS = ("repeatable", "sampled", "budget")


@dataclass(slots=True)
class Tally:
    """All rounds together."""

    rounds: Counter[str] = field(default_factory=Counter)
    victims: Counter[str] = field(default_factory=Counter)
    exit_codes: Counter[int] = field(default_factory=Counter)
    refused: int = 0
    calls: int = 0
    distinct: int = 0
    lost: int = 0
    answered: int = 0
    again: defaultdict[str, Again] = field(default_factory=lambda: defaultdict(Again))

    @property
    def kills(self) -> int:
        return self.victims.total()

    def add(self, kind: str, found: Found, story: Story) -> None:
        self.rounds[kind] += 1
        self.victims += found.victims
        self.exit_codes.update(story.exit_codes)
        self.refused += story.refused
        self.calls += found.calls
        self.distinct += found.distinct
        self.lost += found.lost
        self.answered += found.answered
        for victim, again in found.again.items():
            self.again[victim] += again

    def lines(self, wall_s: float) -> list[str]:
        return [
            f"{self.kills} kills: {_listed(self.victims)}",
            f"{self.rounds.total()} rounds: {_listed(self.rounds)}; {wall_s / 60:.0f} minutes",
            f"exit codes: {_listed(self.exit_codes)}; second drivers refused: {self.refused}",
            f"{self.calls} calls for {self.distinct} distinct asks:"
            f" {self.calls - self.distinct} bought again",
            f"{self.lost} were under way at kills that lose calls, the bound; {self.answered} of"
            " them had been answered, but their replies were not yet durable",
            *(f"{victim}: {again}" for victim, again in sorted(self.again.items())),
        ]


def _listed(counts: Counter) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())


def quiet_round(folder: Path) -> tuple[Rows, float]:
    """Rows and cost, in USD, of an undisturbed run."""
    folder.mkdir()
    with witness_server(sampled=False, latency_s=LATENCY_S) as witness:
        command, story = Command(folder), Story()
        command.write(witness.server)
        assert play_round(command, witness, [], np.random.default_rng(0), story) == DONE
        found = judge(command, witness, story)
        assert found.calls == found.distinct
        return rows_that_stand(command), sum(call.usd for call in witness.calls())


def disturbed_round(
    kind: str,
    folder: Path,
    seed: int,
    kills: int,
    quiet: tuple[Rows, float],
    *,
    victims: Sequence[str],
) -> tuple[Found, Story]:
    folder.mkdir()
    rng = np.random.default_rng(seed)
    with witness_server(sampled=kind == "sampled", latency_s=LATENCY_S) as witness:
        command, story = Command(folder), Story()
        command.write(witness.server)
        if kind == "budget":
            budget_usd = BUDGET_SHARE * quiet[1]
            blows = list(random_blows(rng, kills // 2, LATENCY_S, victims))
            code = play_round(command, witness, blows, rng, story, f"budget_usd={budget_usd:.9f}")
            assert code == BUDGET_REACHED, f"exit code {code}"
            judge_budget(witness, budget_usd)
        blows = list(random_blows(rng, kills - len(story.strikes), LATENCY_S, victims))
        code = play_round(command, witness, blows, rng, story)
        if code == SOME_FAILED:
            code = play_round(command, witness, [], rng, story)
        assert code == DONE, f"exit code {code}: {command.told()[-2000:]}"
        found = judge(command, witness, story)
        if kind != "sampled":
            for of, rows in rows_that_stand(command).items():
                assert_same_rows(rows, quiet[0][of])
        return found, story


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after so many; 0: never")
    parser.add_argument("--victims", nargs="+", default=[], help="these alone; by default all")
    arguments = parser.parse_args()
    began_s = monotonic()
    folder = Path(mkdtemp(prefix="chaos-"))
    print(f"everything lies in {folder}", flush=True)
    quiet = quiet_round(folder / "quiet")
    tally = Tally()
    for number, kind in enumerate(cycle(ROUNDS), start=1):
        left = arguments.kills - tally.kills
        late = arguments.minutes and monotonic() - began_s > 60 * arguments.minutes
        if left <= 0 or late:
            break
        seed = 1000 * arguments.seed + number
        kills = min(left, KILLS_PER_ROUND)
        try:
            found, story = disturbed_round(
                kind, folder / str(number), seed, kills, quiet, victims=arguments.victims
            )
        except Exception:
            print_exc()
            print(f"round {number} ({kind}, seed {seed}) failed: see {folder / str(number)}")
            print(*tally.lines(monotonic() - began_s), sep="\n")
            return 1
        tally.add(kind, found, story)
        strikes = ", ".join(map(str, story.strikes))
        print(
            f"round {number}, {kind}: {strikes}; exit codes {story.exit_codes};"
            f" {found.calls} calls, {found.distinct} distinct, {found.bought_again} bought again,"
            f" at most {found.lost}; {story.wall_s:.0f} s; {tally.kills} kills so far",
            flush=True,
        )
    print(*tally.lines(monotonic() - began_s), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
