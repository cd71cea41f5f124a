"""Plays every hostile way on both routes, and prints per class how many were tried and survived.

    python tests/hostile/all_hostile_ways.py

A way has survived where its call ended in a reply that can be kept and shown, and its episodes in
rows; of a whole sweep it is said in what its honest rows, its calls and its files were harmed.
"""

import asyncio
import logging
import os
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

import ray
from hostile_rounds import SWEEPS, Played, play_round
from hostile_server import HONEST
from hostile_sweep import KEYS, ROUTES, Adversary, adversary, files_with_keys, honest_rows, way_of
from hostile_ways import CLASSES
from reply_findings import findings
from test_hostile_replies import replies_of

from support.shard_rows import rows_of


def main() -> int:
    os.environ.update(KEYS)
    harmed = False
    print(f"{'class':12} {'calls':>6} {'sound replies':>14}", flush=True)
    with adversary() as server, TemporaryDirectory() as folder:
        for name in CLASSES:
            harmed |= _show_replies(server, name)
        ray.init(
            address="local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
        for name in SWEEPS:
            (Path(folder) / name).mkdir()
            played = play_round(name, Path(folder) / name, server, one_route=False)
            harmed |= _show_sweep(name, played)
    return int(harmed)


def _show_replies(server: Adversary, name: str) -> bool:
    tried, odd = 0, {}
    for route in ROUTES:
        replies = asyncio.run(replies_of(server, route, CLASSES[name]))
        tried += len(replies)
        for way, reply in replies.items():
            if lines := list(findings(reply, KEYS.values())):
                odd[route, way] = lines
    print(f"{name:12} {tried:6} {tried - len(odd):14}", flush=True)
    for (route, way), lines in odd.items():
        print(f"  {route} {way}: {'; '.join(lines)}")
    return bool(odd)


def _show_sweep(name: str, played: Played) -> bool:
    classes = {way: one for one, ways in CLASSES.items() for way in ways}
    episodes = rows_of(played.out, "episodes")
    hostile = [row for row in episodes if not row["model"].startswith(HONEST)]
    counts = Counter(
        (classes[way_of(row["model"])], row["error_kind"] == "none") for row in hostile
    )
    print(f"\nsweep {name}: {len(hostile)} hostile episodes, {len(episodes) - len(hostile)} honest")
    print(f"{'class':12} {'scored':>7} {'failed rows':>12}")
    for one in SWEEPS[name][0]:
        print(f"{one:12} {counts[one, True]:7} {counts[one, False]:12}")
    asked = {model: asks for model, asks in played.asked.items() if model.startswith(HONEST)}
    harm = {
        "episodes without a row": played.summary.episodes_planned - len(episodes),
        "episodes that failed within": sum(row["error_kind"] == "internal" for row in episodes),
        "kinds of honest rows that differ from a calm run's": sum(
            honest_rows(played.out, kind) != honest_rows(played.calm, kind)
            for kind in ("steps", "episodes")
        ),
        "honest calls bought twice, or not as in the calm run": int(asked != played.asked_calmly),
        "files that hold a key": len(files_with_keys(played.out)),
        "calls sent elsewhere": len(played.log["gone_elsewhere"]),
    }
    for what, count in harm.items():
        print(f"  {what}: {count}", flush=True)
    return any(harm.values())


if __name__ == "__main__":
    sys.exit(main())
