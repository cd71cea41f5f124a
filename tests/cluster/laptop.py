"""Where `ray up` and `ray submit` are typed: the launcher's file for a lab, and Ray's commands.

The file is cluster/local.yaml with the lab's addresses. Hosts have no package index, so that the
installation is this very environment; the code is what was synced.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml
from lab import Host

PROJECT = Path(__file__).parents[2]
INSTALL = "cd ~/mirror-ray && ./setup.sh cluster"
ENVIRONMENT = Path(sys.prefix)

LOST_SOONER = (
    "RAY_health_check_period_ms=2000 RAY_health_check_timeout_ms=5000"
    " RAY_health_check_failure_threshold=3 RAY_AUTOSCALER_HEARTBEAT_TIMEOUT_S=20 "
)
"""Ray's own bounds wait a minute for a host that is silent."""


@dataclass(frozen=True, slots=True)
class Laptop:
    """A home of its own, beside the lab's hosts."""

    home: Path
    config: Path

    def environment(self) -> Mapping[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("RAY_")},
            "HOME": str(self.home),
            "RAY_TMPDIR": str(self.home / "ray"),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "disabled",
            "PATH": f"{ENVIRONMENT / 'bin'}:{os.environ['PATH']}",
        }

    def start(self, *command: str) -> subprocess.Popen[str]:
        """A command, typed in the project's folder."""
        return subprocess.Popen(
            command,
            cwd=PROJECT,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *command: str) -> str:
        """What it prints; it has to succeed."""
        process = self.start(*command)
        printed, _ = process.communicate()
        assert process.returncode == 0, printed
        return printed


def laptop_for(hosts: Mapping[str, Host], home: Path, sweeps: Path) -> Laptop:
    """A laptop whose launcher's file names the lab's hosts, all but the head as workers."""
    (home / "ray").mkdir(parents=True)
    config = yaml.safe_load((PROJECT / "cluster/local.yaml").read_text(encoding="utf-8"))
    head, *workers = hosts.values()
    config["provider"].update(
        head_ip=head.address, worker_ips=[worker.address for worker in workers]
    )
    config["auth"] = {"ssh_user": "root", "ssh_private_key": str(head.state / "id")}
    config["file_mounts"]["~/mirror-ray/sweeps"] = str(sweeps)
    assert config["setup_commands"][0] == INSTALL
    config["setup_commands"][0] = (
        f"ln -sfn {ENVIRONMENT} ~/mirror-ray/.venv"
        " && echo 'export PYTHONPATH=~/mirror-ray PYTHONPYCACHEPREFIX=/tmp/pyc' >> ~/.bashrc"
    )
    starts = config["head_start_ray_commands"]
    starts[-1] = LOST_SOONER + starts[-1]
    starts = config["worker_start_ray_commands"]
    starts[-1] += " --num-cpus=1 --object-store-memory=200000000"
    path = home / "cluster.yaml"
    path.write_text(yaml.safe_dump(config, sort_keys=False))
    laptop = Laptop(home, path)
    laptop.run("ray", "get-auth-token", "--generate")
    return laptop


def sweeps_with(folder: Path, **files: str) -> Path:
    """The project's sweeps and some more."""
    shutil.copytree(PROJECT / "sweeps", folder)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder
