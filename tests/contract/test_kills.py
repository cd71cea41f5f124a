"""Killed in mid-run, the rows are those of a quiet run, and no recorded reply is bought again.

What tests/chaos does not do: an object store, lost disks, interrupts. Killed actors are its own.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from io import StringIO
from pathlib import Path
from time import sleep

import pytest
from ray.thirdparty_files import psutil
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.replica import JournalReplica
from mirror_ray.records.journal.replica_store import ReplicaStore
from support.loopback import Loopback, loopback_server
from support.play_to_the_end import IN_FLIGHT, SEEDS, plan_at
from support.quiet_rows import quiet_rows, sealed_requests
from support.shard_rows import assert_same_rows, rows_of, same_words

PROGRAM = Path(__file__).parents[1] / "support" / "play_to_the_end.py"
ALL_IN_FLIGHT = 2 * IN_FLIGHT


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    return quiet_rows(tmp_path_factory.mktemp("quiet") / "out", SEEDS)


@pytest.fixture
def server():
    with loopback_server("--latency-s", "0.3") as running:
        yield running


def hold_at(server: Loopback, calls: int, is_over: Callable[[], bool]) -> None:
    """Returns once so many calls were taken; until it is released none is answered any more.

    However slow this process is meanwhile, the run cannot be over before it is disturbed.
    """
    server.hold(at=calls)
    while server.stats()["calls"] < calls:
        assert not is_over(), "the run ended by itself"
        sleep(0.05)


def bought_again(server: Loopback) -> int:
    stats = server.stats()
    return stats["calls"] - stats["distinct"]


@pytest.mark.thorough("the interrupt below, and records/test_object_store.py")
def test_killed_driver_whose_shards_go_to_an_object_store(quiet, server, bucket, tmp_path):
    out = f"{bucket}/kills"
    command = [sys.executable, str(PROGRAM), out, str(server.port)]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    hold_at(server, 30, lambda: first.poll() is not None)
    os.kill(first.pid, signal.SIGKILL)
    first.wait(60)
    server.release()

    second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert second.returncode == 0, second.stdout + second.stderr
    assert str(tmp_path / "state") in second.stdout
    assert bought_again(server) <= ALL_IN_FLIGHT
    for kind, rows in quiet.items():
        assert_same_rows(same_words(rows_of(out, kind)), rows, server.heard)


DEATHS, MORE_SEEDS = 20, 9


def confirmed(out: str, replicate: str, scratch: Path) -> set[tuple[str, int]]:
    """The requests whose replies another head finds: in the replica, or in shards."""
    replica = JournalReplica(ReplicaStore(replicate, out))
    with closing(Journal(str(scratch))) as journal:
        journal.restore(replica.history(replica.tip()))
    with closing(sqlite3.connect(scratch)) as db:
        found = set(db.execute("select episode_id, ask_index from reply where final"))
    return found | sealed_requests(out)


@pytest.mark.timeout(7200)
@pytest.mark.thorough("engine/recorder/test_lost_disks.py")
def test_heads_killed_with_their_disks(server, bucket, tmp_path):
    """Each life buys what no earlier one has confirmed, and loses at most what is in flight."""
    out, replicate = f"{bucket}/deaths", f"{bucket}/journals"
    command = [sys.executable, str(PROGRAM), out, str(server.port), replicate, str(MORE_SEEDS)]
    calls = lost = 0
    known: set[tuple[str, int]] = set()
    for death in range(DEATHS):
        disk = tmp_path / f"disk{death}"
        env = {**os.environ, "XDG_STATE_HOME": str(disk)}
        with (tmp_path / "told.txt").open("a") as told:
            head = psutil.Popen(command, env=env, stdout=told, stderr=told)
        hold_at(server, calls + ALL_IN_FLIGHT + 2, lambda head=head: head.poll() is not None)
        processes = [head, *head.children(recursive=True)]
        for one in processes:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        psutil.wait_procs(processes, 60)
        shutil.rmtree(disk)
        server.release()
        now = confirmed(out, replicate, tmp_path / f"scratch{death}")
        assert now >= known
        bought, calls = server.stats()["calls"] - calls, server.stats()["calls"]
        assert 0 <= bought - len(now - known) <= ALL_IN_FLIGHT
        lost += bought - len(now - known)
        known = now
        print(f"death {death}: {bought} calls, {len(known)} confirmed, {lost} lost so far")

    last = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert last.returncode == 0, last.stdout + last.stderr
    steps = rows_of(out, "steps")
    assert server.stats()["calls"] == len(steps) + lost
    for kind, rows in quiet_rows(tmp_path / "quiet", MORE_SEEDS).items():
        assert_same_rows(same_words(rows_of(out, kind)), rows, server.heard)


@pytest.mark.thorough("cli/test_interrupt.py and engine/recorder/test_recorder_crashes.py")
def test_interrupted_and_interrupted_twice(quiet, server, tmp_path, ray_env):
    env = {**os.environ, **ray_env}
    out = tmp_path / "out"
    command = [sys.executable, str(PROGRAM), str(out), str(server.port)]

    once = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    hold_at(server, 10, lambda: once.poll() is not None)
    once.send_signal(signal.SIGINT)
    server.release()
    assert once.wait(60) == 130
    assert bought_again(server) == 0

    twice = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    hold_at(server, server.stats()["calls"] + 10, lambda: twice.poll() is not None)
    while (stats := server.stats())["calls"] == sum(stats["statuses"].values()):
        assert twice.poll() is None, "the run was over before it could be disturbed"
        sleep(0.05)
    twice.send_signal(signal.SIGINT)
    # What is in flight will not be answered, so that only the second one can end the run.
    assert any("again: at once" in line for line in twice.stdout)
    twice.send_signal(signal.SIGINT)
    assert twice.wait(60) == 130
    server.release()

    summary = play_plan(plan_at(out, server.port), console=Console(file=StringIO()), plain=True)
    assert (summary.episodes_done, summary.exit_code) == (9, 0)
    assert bought_again(server) <= ALL_IN_FLIGHT
    for kind, rows in quiet.items():
        assert_same_rows(same_words(rows_of(out, kind)), rows, server.heard)
