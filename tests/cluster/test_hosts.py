"""Real hosts: a sweep that is submitted literally, and hosts that are lost while it is played."""

import json
from pathlib import Path

import pytest
from lab import Host, wait_until

from conftest import PORT, Cluster
from support.shard_rows import TIMINGS, assert_same_rows, rows_of, without

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(1500)]

IN_FLIGHT = 4


def stats(host: Host) -> dict:
    return json.loads(host.run(f"curl -s http://127.0.0.1:{PORT}/stats"))


def rows(out: Path) -> dict[str, list[dict]]:
    return {kind: without(rows_of(out, kind), TIMINGS) for kind in ("steps", "episodes")}


@pytest.fixture(scope="module")
def quiet(cluster, tmp_path_factory) -> dict[str, list[dict]]:
    """The rows of the same sweep on a single host that nobody disturbs."""
    head = cluster.head
    head.run(
        "bash -ic 'unset RAY_ADDRESS; RAY_AUTH_MODE=disabled mirror-ray run"
        " ~/mirror-ray/sweeps/lab.yaml --out ~/runs/quiet engine.simulators=2 engine.in_flight=16'"
    )
    return rows(fetched(cluster, "runs/quiet", tmp_path_factory.mktemp("quiet")))


def fetched(cluster: Cluster, run: str, to: Path) -> Path:
    laptop = cluster.laptop
    laptop.run("ray", "rsync-down", str(laptop.config), f"~/{run}/", f"{to}/")
    return to


def test_hosts_cut_off_and_crashed_leave_the_rows_of_a_quiet_run(cluster, quiet, tmp_path):
    hosts, laptop = cluster.hosts, cluster.laptop
    before = {name: stats(host)["calls"] for name, host in hosts.items()}

    def calls(name: str) -> int:
        return stats(hosts[name])["calls"] - before[name]

    submitted = laptop.start("ray", "submit", str(laptop.config), str(cluster.sweeps / "lab.yaml"))
    wait_until("w1 has played", lambda: calls("w1") >= 10 or submitted.poll() is not None, 600.0)
    assert submitted.poll() is None, submitted.stdout.read()
    hosts["w1"].cut()
    wait_until("w2 has played", lambda: calls("w2") >= 20 or submitted.poll() is not None, 600.0)
    assert submitted.poll() is None, submitted.stdout.read()
    killed = hosts["w2"].kill("raylet", "ray::")
    printed, _ = submitted.communicate()
    print(printed)
    assert submitted.returncode == 0, printed
    assert len(killed) >= 3
    assert "w1" in printed
    hosts["w1"].mend()

    disturbed = rows(fetched(cluster, "runs/lab", tmp_path))
    for kind, expected in quiet.items():
        assert_same_rows(disturbed[kind], expected)

    paid = sum(calls(name) for name in hosts)
    asks = sum(row["model"] == "lab/observer" for row in quiet["steps"])
    # Of each lost Simulator, the calls it had under way.
    assert asks <= paid <= asks + 2 * IN_FLIGHT


SMALL = "models=[lab/sleepy] stages.0.seeds=1 stages.0.conditions=[E1] --plain"


def test_a_run_waits_for_a_host_and_uses_the_one_that_comes(cluster):
    """The autoscaler starts Ray again on hosts where it has died."""
    laptop = cluster.laptop
    wait_until("all hosts are up", lambda: len(cluster.alive()) == len(cluster.hosts), 600.0)
    for name in ("w1", "w2", "w3"):
        assert cluster.hosts[name].kill("raylet", "ray::")
    wait_until("all are lost", lambda: cluster.alive() == [cluster.head.address], 600.0)
    told = laptop.run(
        *("ray", "submit", str(laptop.config), str(cluster.sweeps / "lab.yaml")),
        *("--", *SMALL.split(), "--out", "runs/waited"),
    )
    assert "No host can draw just now" in told
    assert "2 episodes, 0 with an error" in told
    wait_until("all hosts are up", lambda: len(cluster.alive()) == len(cluster.hosts), 600.0)


def test_the_driver_may_be_on_any_host_of_the_cluster(cluster):
    w3 = cluster.hosts["w3"]
    told = w3.run(
        f"RAY_ADDRESS={cluster.head.address}:6379 mirror-ray run ~/mirror-ray/sweeps/lab.yaml"
        f" {SMALL} --out ~/runs/from_w3"
    )
    assert "2 episodes, 0 with an error" in told
    assert "episodes" in w3.run("ls ~/runs/from_w3")


def test_a_cluster_that_cannot_be_reached_is_told_of(cluster):
    told = cluster.head.run(
        "RAY_ADDRESS=ray://head:10001 mirror-ray run ~/mirror-ray/sweeps/lab.yaml"
        f" {SMALL} --out ~/runs/client; echo exit $?"
    )
    assert "exit 2" in told
    assert "ray job submit" in told


def test_a_host_that_runs_other_code_is_refused_by_name(cluster):
    w3 = cluster.hosts["w3"]
    w3.run("echo '# other' >> ~/mirror-ray/mirror_ray/core/types.py")
    try:
        told = cluster.head.run(
            f"mirror-ray run ~/mirror-ray/sweeps/lab.yaml {SMALL} --out ~/runs/skewed; echo exit $?"
        )
    finally:
        w3.run("sed -i '$d' ~/mirror-ray/mirror_ray/core/types.py")
    print(told)
    assert "exit 2" in told
    assert f"w3 ({w3.address}): source of mirror_ray " in told
    assert "episodes ·" not in told  # refused before anything is played


def test_submitted_as_a_job_it_outlives_the_connection(cluster):
    head = cluster.head
    if "no" in head.run("python -c 'import aiohttp_cors, opencensus' 2>/dev/null || echo no"):
        pytest.skip("needs ray's dashboard on the hosts: pip install 'mirror-ray[cluster]'")
    told = head.run(
        "ray job submit --address http://127.0.0.1:8265 --"
        " mirror-ray run sweeps/quickstart.yaml models=[scripted/blind] stages.0.seeds=1"
        " stages.0.runs=1 --plain --out /srv/home/runs/job"
    )
    assert "5 episodes, 0 with an error" in told
    assert "succeeded" in told
