"""A cluster of four hosts, brought up by `ray up` and taken down by `ray down`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import NETWORK, Host, lab, wait_until, why_not_here
from laptop import ENVIRONMENT, PROJECT, Laptop, laptop_for, sweeps_with

PORT = 8123
SERVER = PROJECT / "tests" / "support" / "openai_server.py"

CATALOGUE = f"""
models:
  lab/observer:
    target: hosted_vllm/observer
    base_url: http://127.0.0.1:{PORT}/v1
    api_key_env: LAB_API_KEY
    usd_per_mtok_in: 1.0
    usd_per_mtok_out: 2.0
  lab/sleepy: {{agent: observer, latency_s: 0.2}}
"""

SWEEP = """
name: lab
models: [lab/observer, lab/sleepy]
catalogue: lab_models.yaml
stages:
  - family: selfid
    conditions: [E1, E4]
    seeds: 3
    runs: 2
    temperature: [0.2]
    max_steps: [40]
engine: {in_flight: 4}
out: runs/lab
"""


@dataclass(frozen=True, slots=True)
class Cluster:
    hosts: dict[str, Host]
    laptop: Laptop
    sweeps: Path

    @property
    def head(self) -> Host:
        return self.hosts["head"]

    def alive(self) -> list[str]:
        """Addresses that Ray counts as alive."""
        told = self.head.run(
            "bash -ic 'python -c \"import ray, logging; ray.init(logging_level=logging.ERROR);"
            ' print(*[n[\\"NodeManagerAddress\\"] for n in ray.nodes() if n[\\"Alive\\"]])"\''
        )
        return sorted(word for word in told.split() if word.startswith(f"{NETWORK}."))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if (why := why_not_here()) is not None:
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("lab")
    sweeps = sweeps_with(folder / "sweeps", lab=SWEEP, lab_models=CATALOGUE)
    state = folder / "state"
    state.mkdir()
    with lab(state, workers=3) as hosts:
        for host in hosts.values():
            host.start(f"{ENVIRONMENT}/bin/python {SERVER} --port {PORT} --latency-s 0.5")
        laptop = laptop_for(hosts, folder / "laptop", sweeps)
        print(laptop.run("ray", "up", "-y", str(laptop.config)))
        (laptop.home / "keys.env").write_text("LAB_API_KEY=of-the-lab\n")
        laptop.run(
            *("ray", "rsync-up", str(laptop.config), str(laptop.home / "keys.env"), "~/keys.env")
        )
        running = Cluster(hosts, laptop, sweeps)
        wait_until("all hosts are up", lambda: len(running.alive()) == len(hosts), 600.0)
        yield running
        print(laptop.run("ray", "down", "-y", str(laptop.config)))
