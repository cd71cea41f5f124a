"""Kills parts of a run in batches with signal 9, at random moments, and compares it with the bill.

    python tests/chaos/batch_kills.py [--kills 20] [--seed 0] [--maker openai|anthropic|gemini]

Rounds of a few kills each; a round's run is begun again after each kill of the whole, and at last
played to its end. A moment is counted from when a Provider is there and the journal notes asks
without a reply, so that most kills come while some are out, on a slow machine too. The pretended
maker confirms uploads and beginnings late, and lets asks expire. One line per kill, with what was
on record of batches right after it; exit code 1 at the first round in which an ask was paid twice,
lost, or booked at another price than the maker's.
"""

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from ray.thirdparty_files import psutil

from mirror_ray.records.journal.database import JOURNAL_NAME
from support.mock_program import mock, stats_of
from support.shard_rows import rows_of

SWEEP = """\
name: batches
models: [house/m]
catalogue: [house.yaml]
tier: batch
stages:
  - {family: flipset, conditions: [L1], seeds: 20, runs: 2, temperature: [0.2]}
engine: {simulators: 1, providers: 1}
out: runs/never
"""
HOUSE = """\
models:
  house/m:
    target: TARGET
    base_url: https://llm.example.org/v1
    limits_key: house/m
    usd_per_mtok_in: 2.0
    usd_per_mtok_out: 8.0
    usd_per_mtok_cached: 0.5
    batch:
      {usd_per_mtok_in: 1.0, usd_per_mtok_out: 4.0, usd_per_mtok_cached: 0.25,
       linger_s: 0.5, poll_s: 0.3, most_asks: 11}
"""
TARGETS = {
    "openai": "openai/m",
    "anthropic": "anthropic/claude-sonnet-4-5",
    "gemini": "gemini/gemini-2.5-flash",
}
"""Maker whose protocol is spoken → the model."""
EPISODES = 40
KILLS_PER_ROUND = 5
MANNER = ("--batch-s", "5", "--batch-slow-s", "1.5", "--batch-expired", "0.15")
VICTIMS = ("driver", "driver", "ray::Provider", "ray::Recorder")
PATIENCE_S = 1200.0
"""For the last run of a round, on a machine that does other things."""
LATEST_S = 9.0
"""By when after that the victim is killed: a batch lasts 5 s, and some more to begin and to end."""
NOTED_WITHIN_S = 240.0
"""In which asks are noted, or the victim is killed with none."""


def noted(out: Path) -> list[tuple[str, int]] | None:
    """State and asks of the batches with unanswered asks; None without a journal."""
    try:
        with closing(sqlite3.connect(f"file:{out / JOURNAL_NAME}?mode=ro", uri=True)) as journal:
            return journal.execute(
                "select state, count(*) from batch join batch_ask using (batch_key) group by 1"
            ).fetchall()
    except sqlite3.Error:
        return None


def states(out: Path) -> str:
    """What is noted of batches with unanswered asks, in words."""
    rows = noted(out)
    if rows is None:
        return "no journal yet"
    return ", ".join(f"{count} asks {state}" for state, count in rows) or "nothing out"


def wait_until_noted(out: Path, life: subprocess.Popen[bytes]) -> None:
    """Returns as soon as asks are noted, the run has ended, or patience has."""
    began_s = monotonic()
    while not noted(out) and life.poll() is None and monotonic() - began_s < NOTED_WITHIN_S:
        sleep(0.05)


def victim_of(kind: str, life: subprocess.Popen[bytes]) -> psutil.Process | None:
    """The process to kill; None where the run ended before it was there."""
    while life.poll() is None:
        driver = psutil.Process(life.pid)
        if kind == "driver":
            return driver
        for process in driver.children(recursive=True):
            try:
                if process.cmdline()[:1] and process.cmdline()[0].startswith(kind):
                    return process
            except psutil.Error:
                continue
        sleep(0.05)
    return None


def play_round(
    folder: Path, kills: int, rng: np.random.Generator, first: int, target: str
) -> tuple[int, bool]:
    """Kills so many times, lets it end, and compares; the kills that struck, and whether all is
    as it should be."""
    folder.mkdir()
    (folder / "house.yaml").write_text(HOUSE.replace("TARGET", target))
    sweep = folder / "sweep.yaml"
    sweep.write_text(SWEEP)
    out, struck = folder / "out", 0
    with mock(sweep, folder / "mock.yaml", *MANNER) as address:
        catalogues = f"catalogue=[house.yaml,{folder / 'mock.yaml'}]"
        program = [sys.executable, "-m", "mirror_ray", "run", str(sweep), catalogues]
        command = [*program, "--out", str(out), "--plain"]
        life = None
        for _ in range(kills):
            if life is None or life.poll() is not None:
                if life is not None and life.returncode == 0:
                    break
                life = subprocess.Popen(
                    command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            kind = str(rng.choice(VICTIMS))
            victim_of("ray::Provider", life)
            wait_until_noted(out, life)
            sleep(float(rng.uniform(0.0, LATEST_S)))
            victim = victim_of(kind, life)
            if victim is None or not victim.is_running() or life.poll() is not None:
                continue
            os.kill(victim.pid, signal.SIGKILL)
            struck += 1
            print(f"{first + struck} | {kind.removeprefix('ray::')} | {states(out)}", flush=True)
            if kind == "driver":
                life.wait(60)
        if life is None or life.poll() is None or life.returncode != 0:
            if life is not None and life.poll() is None:
                life.wait(PATIENCE_S)
            subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE_S)
        counts = stats_of(address)
    return struck, judged(out, counts["house/m (batch)"]["billed"])


def judged(out: Path, billed: dict[str, Counter[str]]) -> bool:
    """Whether each ask was paid once, none lost, and the run's books are the maker's."""
    rows = rows_of(out, "steps")
    (bill,) = billed.values()
    fresh = bill["tokens_in"] - bill["tokens_cached"]
    usd = (fresh * 1.0 + bill["tokens_cached"] * 0.25 + bill["tokens_out"] * 4.0) / 1e6
    booked = sum(row["cost_usd"] or 0.0 for row in rows)
    answered = sum(row["error_kind"] == "none" and not row["superseded"] for row in rows)
    print(
        f"  {EPISODES} asks, {answered} answered, {bill['calls']} billed;"
        f" booked ${booked:.6f}, billed ${usd:.6f}",
        flush=True,
    )
    return answered == bill["calls"] == EPISODES and abs(booked - usd) < 1e-12


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--maker", choices=TARGETS, default="openai")
    arguments = parser.parse_args()
    folder, began_s = Path(mkdtemp(prefix="batch-kills-")), monotonic()
    struck = number = 0
    while struck < arguments.kills:
        rng = np.random.default_rng([arguments.seed, number])
        kills = min(KILLS_PER_ROUND, arguments.kills - struck)
        more, is_right = play_round(
            folder / str(number), kills, rng, struck, TARGETS[arguments.maker]
        )
        struck, number = struck + more, number + 1
        if not is_right:
            print(f"round {number} went wrong: see {folder}")
            return 1
    print(f"{struck} kills in {number} rounds, {monotonic() - began_s:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
