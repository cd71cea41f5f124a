"""A stand-in for KubeRay's operator: the head's pod is killed three times, and the cluster is made
again each time, on the same volume or with an empty disk and a replicated journal.

Pods are namespaces of processes and mounts on this machine; a head plans and records, a worker
draws, as in cluster/rayjob.yaml.
"""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import wait_until

from mirror_ray.records.journal.database import JOURNAL_NAME
from support.loopback import Loopback, loopback_server
from support.play_to_the_end import IN_FLIGHT, SEEDS
from support.quiet_rows import quiet_rows, sealed_requests
from support.shard_rows import assert_same_rows, rows_of, same_words

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(3600)]

PROGRAM = Path(__file__).parents[1] / "support" / "play_to_the_end.py"
POD = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
KILLS, ALL_IN_FLIGHT = 3, 2 * IN_FLIGHT
PLAYS_WITHIN_S = 900.0
RAY = "--node-ip-address=127.0.0.1 --min-worker-port=0 --max-worker-port=0"


@dataclass(frozen=True, slots=True)
class Pod:
    """Processes with a disk of their own, which are gone together."""

    process: subprocess.Popen
    disk: Path

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)
        shutil.rmtree(self.disk, ignore_errors=True)


def pod(command: str, log: Path) -> Pod:
    disk = Path(mkdtemp(prefix="pod-", dir="/tmp"))
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.prefix) / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": f"{PROGRAM.parents[2]}:{PROGRAM.parents[1]}",
        "RAY_TMPDIR": str(disk),
        "XDG_STATE_HOME": str(disk / "state"),
        "RAY_AUTH_MODE": "disabled",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_enable_metrics_collection": "0",
    }
    with log.open("a") as told:
        words = (*POD, "bash", "-c", command)
        return Pod(subprocess.Popen(words, env=environment, stdout=told, stderr=told), disk)


@contextmanager
def cluster(command: str, log: Path) -> Iterator[Pod]:
    """A head that submits a command once it is up, and a worker; deleted at the end."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    port = address.rpartition(":")[2]
    start = f"ray start --head --port={port} --num-cpus=0 --include-dashboard=false {RAY}"
    head = pod(f"{start} && RAY_ADDRESS={address} exec {command}", log)
    joins = f"ray start --address={address} --num-cpus=2 --block {RAY}"
    worker = pod(f"until {joins}; do sleep 1; done", log.with_suffix(".worker"))
    try:
        yield head
    finally:
        head.kill()
        worker.kill()


@pytest.fixture
def server() -> Iterator[Loopback]:
    if subprocess.run([*POD, "true"], check=False, capture_output=True).returncode:
        pytest.skip("namespaces are not permitted here")
    with loopback_server("--latency-s", "0.3") as running:
        yield running


def recorded(out: str) -> set[tuple[str, int]]:
    """The requests whose replies are on the volume."""
    sealed = sealed_requests(out)
    if not (Path(out) / JOURNAL_NAME).exists():
        return sealed
    with closing(sqlite3.connect(Path(out) / JOURNAL_NAME)) as db:
        return sealed | set(db.execute("select episode_id, ask_index from reply where final"))


@pytest.mark.parametrize("disk", ["volume", "lost"])
def test_a_head_is_killed_three_times(disk, server, bucket, tmp_path):
    places = [str(tmp_path / "volume")] if disk == "volume" else [f"{bucket}/run"]
    replica = [f"{bucket}/journals"] if disk == "lost" else []
    words = (sys.executable, str(PROGRAM), *places, str(server.port), *replica)
    log = tmp_path / "head.log"
    calls = lost = 0
    known: set[tuple[str, int]] = set()
    for _ in range(KILLS):
        with cluster(" ".join(words), log) as head:
            server.hold(at=calls + ALL_IN_FLIGHT + 2)
            wait_until(
                f"the head plays: {log}",
                lambda seen=calls, head=head: (
                    server.stats()["calls"] >= seen + ALL_IN_FLIGHT + 2
                    or head.process.poll() is not None
                ),
                PLAYS_WITHIN_S,
            )
            assert head.process.poll() is None, log.read_text()
            head.kill()
        server.release()
        bought, calls = server.stats()["calls"] - calls, server.stats()["calls"]
        if disk == "volume":
            now = recorded(places[0])
            assert now >= known
            assert 0 <= bought - len(now - known) <= ALL_IN_FLIGHT
            lost, known = lost + bought - len(now - known), now

    with cluster(" ".join(words), log) as head:
        assert head.process.wait(PLAYS_WITHIN_S) == 0, log.read_text()
    steps = rows_of(places[0], "steps")
    if disk == "volume":
        assert server.stats()["calls"] == len(steps) + lost
    assert server.stats()["calls"] - len(steps) <= KILLS * ALL_IN_FLIGHT
    for kind, rows in quiet_rows(tmp_path / "quiet", SEEDS).items():
        assert_same_rows(same_words(rows_of(places[0], kind)), rows, server.heard)
