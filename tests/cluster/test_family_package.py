"""A family of another package, from its wheel, on each host of a cluster, swept by all of them."""

import json
from dataclasses import dataclass
from shutil import copy

import pytest
from lab import Host
from laptop import ENVIRONMENT

from conftest import SERVER, Cluster
from support.plugin_wheels import wheels_of

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(1500)]

HOME = "/srv/home"
PORT = 8124
HOSTS = ("head", "w1", "w2", "w3")
SWEEP = """
name: letters
models: [lab/letters-reader, lab/letters-copier]
catalogue: letters_models.yaml
stages:
  - {family: letters, conditions: [plain, mirrored], seeds: 12, length: [5, 9]}
engine: {in_flight: 2}
out: runs/letters
"""
N_EPISODES = 2 * 2 * 12 * 2
ENTRY = """
  lab/{agent}:
    target: hosted_vllm/{agent}
    base_url: http://127.0.0.1:{port}/v1
    api_key_env: LAB_API_KEY
    usd_per_mtok_in: 1.0
    usd_per_mtok_out: 2.0
"""
RIGHT = """
select model, condition, avg(accuracy) as right from episode.letters group by all order by all
"""


@dataclass(frozen=True, slots=True)
class Installed:
    """A cluster on whose hosts the package is, and a server that its agents answer on each."""

    cluster: Cluster

    def run(self, out: str) -> str:
        return self.cluster.head.run(
            f"RAY_ADDRESS={self.cluster.head.address}:6379 LAB_API_KEY=of-the-lab"
            f" mirror-ray run {HOME}/letters.yaml --plain --out {HOME}/{out}; echo exit $?"
        )


def pip(host: Host, words: str) -> None:
    host.run(f"{ENVIRONMENT}/bin/python -m pip {words} --no-cache-dir --disable-pip-version-check")


@pytest.fixture(scope="module")
def installed(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    (wheel,) = wheels_of(tmp_path_factory, "family_template")
    for name in HOSTS:
        host = cluster.hosts[name]
        copy(wheel, host.seen(HOME))
        pip(host, f"install --no-deps --no-index {HOME}/{wheel.name}")
        host.start(f"{ENVIRONMENT}/bin/python {SERVER} --port {PORT} --latency-s 0.3")
    entries = (ENTRY.format(agent=f"letters-{kind}", port=PORT) for kind in ("reader", "copier"))
    home = cluster.head.seen(HOME)
    (home / "letters_models.yaml").write_text("models:" + "".join(entries))
    (home / "letters.yaml").write_text(SWEEP)
    return Installed(cluster)


def calls(host: Host) -> int:
    return json.loads(host.run(f"curl -s http://127.0.0.1:{PORT}/stats"))["calls"]


def test_it_is_played_by_several_hosts(installed: Installed) -> None:
    told = installed.run("letters")
    assert "exit 0" in told, told
    assert f"{N_EPISODES} episodes, 0 with an error" in told
    asked = {name: calls(installed.cluster.hosts[name]) for name in HOSTS}
    print(told, asked)
    assert sum(asked.values()) == N_EPISODES
    assert sum(count > 0 for count in asked.values()) >= 2
    table = installed.cluster.head.run(
        f'mirror-ray sql {HOME}/letters "{RIGHT.strip()}" --format csv'
    )
    assert table.split() == [
        "model,condition,right",
        "lab/letters-copier,mirrored,0.0",
        "lab/letters-copier,plain,1.0",
        "lab/letters-reader,mirrored,1.0",
        "lab/letters-reader,plain,1.0",
    ]


def test_a_host_without_it_is_refused_by_name(installed: Installed) -> None:
    w3 = installed.cluster.hosts["w3"]
    pip(w3, "uninstall -y mirror-letters")
    told = installed.run("partly")
    print(told)
    assert "exit 2" in told
    assert f"w3 ({w3.address}): source of mirror_letters not installed there" in told
    assert "episodes ·" not in told  # refused before anything is played
