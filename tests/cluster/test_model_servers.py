"""Models that a run serves on several hosts: they take turns on GPUs, their replicas share the
calls, and a host that is lost costs no episode and leaves no process.

The GPUs are pretended: Ray is told of one on each of two hosts.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import NETWORK, Host, lab, wait_until, why_not_here
from laptop import ENVIRONMENT, LOST_SOONER, PROJECT

from mirror_ray.analysis.warehouse import open_run
from support.engine.processes import with_word
from support.shard_rows import TIMINGS, WIRE, assert_same_rows, rows_of, without

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(900)]

PROGRAM = PROJECT / "tests" / "support" / "engine" / "served_program.py"
AGENTS = ("blind", "gullible", "observer")
HOME = "/srv/home"
ENDS_SOONER = (
    "RAY_grpc_client_keepalive_time_ms=5000 RAY_grpc_client_keepalive_timeout_ms=5000"
    " RAY_gcs_rpc_server_reconnect_timeout_s=5"
)
"""Ray's own bounds let a host that is cut off run on for minutes."""

ADDRESS = f"{NETWORK}.10:6379"
UP_WITHIN_S = 300.0
PLAYED_WITHIN_S = 600.0

SWEEP = """
name: own
models: [{models}]
catalogue: servers.yaml
stages:
  - {{family: selfid, conditions: [E1, E4], seeds: 2, runs: 1, max_steps: [8]}}
engine: {{simulators: 3, in_flight: 4}}
out: {out}
"""
ENTRY = """
  own/{agent}:
    serve:
      engine: command
      command: [{program}]
      served_name: {agent}
      gpus: 1
      replicas: {replicas}
"""
TIMELINE = """
select model, server, host, began_at, ready_at, ended_at, held_s, starts, why_ended
from metric.server_timeline order by began_at, model, server
"""


@dataclass(frozen=True, slots=True)
class GpuHosts:
    """A head that draws and asks, and hosts with a GPU each."""

    hosts: dict[str, Host]

    def start_ray(self, name: str) -> None:
        at = f"--address={ADDRESS} --num-cpus=1 --num-gpus=1"
        if name == "head":
            at = f"--head --port=6379 --num-cpus=1 --num-gpus=0 --include-dashboard=false {ADDRESS}"
            at = at.removesuffix(f" {ADDRESS}")
        host = self.hosts[name]
        own = f"--node-ip-address={host.address} --object-store-memory=200000000"
        host.run(f"ray stop --force; {LOST_SOONER} {ENDS_SOONER} ray start {at} {own}")

    def alive(self) -> set[str]:
        """Addresses that Ray counts as alive."""
        told = self.hosts["head"].run(
            "python -c 'import ray, logging;"
            f' ray.init(address="{ADDRESS}", logging_level=logging.ERROR);'
            ' print(*[n["NodeManagerAddress"] for n in ray.nodes() if n["Alive"]])\''
        )
        return {word for word in told.split() if word.startswith(f"{NETWORK}.")}

    def wait_for_hosts(self) -> None:
        there = {host.address for host in self.hosts.values()}
        wait_until("all hosts are up", lambda: self.alive() == there, UP_WITHIN_S)

    def play(self, mark: str, agents=AGENTS, replicas: int = 1, latency_s: float = 0.4) -> "Played":
        """Starts a run on the head."""
        folder = self.hosts["head"].seen(f"{HOME}/{mark}")
        folder.mkdir()
        program = (sys.executable, PROGRAM, "--host", "{host}", "--port", "{port}", "--mark", mark)
        words = ", ".join(f'"{word}"' for word in (*program, "--latency-s", latency_s))
        entries = [ENTRY.format(agent=a, program=words, replicas=replicas) for a in agents]
        (folder / "servers.yaml").write_text("models:" + "".join(entries))
        models = ", ".join(f"own/{agent}" for agent in agents)
        (folder / "own.yaml").write_text(SWEEP.format(models=models, out=f"{HOME}/{mark}/out"))
        command = (
            f"RAY_ADDRESS={ADDRESS} mirror-ray run {HOME}/{mark}/own.yaml --plain --allow-commands"
        )
        return Played(mark, folder / "out", self.hosts["head"].spawn(command))


@dataclass(slots=True)
class Played:
    """A run, and what it has printed."""

    mark: str
    out: Path
    process: subprocess.Popen[str]
    said: str = ""

    def until(self, pattern: str) -> "re.Match[str]":
        """Reads until a line is printed that holds this."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if (found := re.search(pattern, line)) is not None:
                return found
        pytest.fail(f"it ended without {pattern!r}:\n{self.said}")

    def finish(self) -> str:
        rest, _ = self.process.communicate(timeout=PLAYED_WITHIN_S)
        self.said += rest
        print(self.said)
        assert self.process.returncode == 0, self.said
        return self.said

    def rows(self) -> list[dict]:
        """Steps, without what differs from start to start: the fingerprint is of the command."""
        return without(rows_of(self.out, "steps"), TIMINGS | WIRE | {"model_version"})

    def timeline(self) -> list[dict]:
        with open_run(str(self.out)) as views:
            held = views.sql(TIMELINE)
            print(held)
            return held.to_arrow_table().to_pylist()


@pytest.fixture(scope="module")
def gpu_hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GpuHosts]:
    if (why := why_not_here()) is not None:
        pytest.skip(why)
    environment = {
        "PATH": f"{ENVIRONMENT}/bin:$PATH",
        "PYTHONPYCACHEPREFIX": "/tmp/pyc",  # noqa: S108 - the host's own
        "RAY_AUTH_MODE": "disabled",
        "RAY_USAGE_STATS_ENABLED": "0",
        "MUJOCO_GL": "egl",
        "LP_NUM_THREADS": "0",
    }
    exports = "".join(f"export {name}={value}\n" for name, value in environment.items())
    with lab(tmp_path_factory.mktemp("state"), workers=2) as hosts:
        running = GpuHosts(hosts)
        for name, host in hosts.items():
            host.seen(f"{HOME}/.bashrc").write_text(exports)
            running.start_ray(name)
        running.wait_for_hosts()
        yield running


@pytest.fixture
def mark() -> str:
    return f"served-{uuid4().hex}"


@pytest.fixture(scope="module")
def quiet(gpu_hosts: GpuHosts) -> Played:
    played = gpu_hosts.play(f"served-{uuid4().hex}")
    played.finish()
    assert with_word(played.mark) == []
    return played


def test_three_models_take_turns_on_two_hosts(quiet):
    held = quiet.timeline()
    assert sorted(line["model"] for line in held) == [f"own/{agent}" for agent in AGENTS]
    first, second, third = held
    assert {first["host"], second["host"]} == {"w1", "w2"}
    before = next(line for line in (first, second) if line["host"] == third["host"])
    assert third["began_at"] >= before["ended_at"]
    assert {line["why_ended"] for line in held} == {"its episodes have ended"}


def test_replicas_on_two_hosts_share_the_calls_of_one_allowance(gpu_hosts, mark):
    played = gpu_hosts.play(mark, ("blind",), replicas=2)
    asked = dict.fromkeys(("w1", "w2"), 0)
    played.until("server 2.*ready after")
    while played.process.poll() is None and min(asked.values()) < 2:
        asked |= {name: max(asked[name], calls_at(gpu_hosts.hosts[name])) for name in asked}
    assert min(asked.values()) >= 2, played.finish()
    played.finish()
    assert {line["host"] for line in played.timeline()} == {"w1", "w2"}
    assert with_word(mark) == []


def calls_at(host: Host) -> int:
    """Calls that the server of this host has had."""
    told = host.run(
        "for port in $(ss -Hltn | awk '{print $4}' | grep -F "
        + shlex.quote(f"{host.address}:")
        + "); do curl -s -m 2 http://$port/stats; echo; done",
        check=False,
    )
    found = re.search(r'"calls": (\d+), "distinct"', told)
    return int(found[1]) if found else 0


def test_a_host_cut_off_ends_its_server_and_its_model_is_served_elsewhere(gpu_hosts, quiet, mark):
    played = gpu_hosts.play(mark)
    name = played.until(r"own/blind: its server starts on (\w+)")[1]
    played.until("own/blind: ready after")
    host = gpu_hosts.hosts[name]
    host.cut()
    try:
        said = played.finish()
        # Its Ray ends once the head is silent for too long, and the engines with it.
        wait_until("no engine is left", lambda: not with_word(mark), UP_WITHIN_S)
    finally:
        host.mend()
        gpu_hosts.start_ray(name)
        gpu_hosts.wait_for_hosts()
    assert f"its host {name} (" in said
    assert_same_rows(played.rows(), quiet.rows())


def test_a_host_killed_under_a_server_costs_no_episode(gpu_hosts, quiet, mark):
    played = gpu_hosts.play(mark)
    name = played.until(r"own/blind: its server starts on (\w+)")[1]
    played.until("own/blind: ready after")
    gpu_hosts.hosts[name].halt()
    said = played.finish()
    assert "starts anew" in said or f"its host {name} (" in said
    assert_same_rows(played.rows(), quiet.rows())
    held = played.timeline()
    ends = [
        line["why_ended"] for line in held if (line["model"], line["host"]) == ("own/blind", name)
    ]
    assert ends == [f"its host {name} ({gpu_hosts.hosts[name].address}) is lost"]
    assert with_word(mark) == []
