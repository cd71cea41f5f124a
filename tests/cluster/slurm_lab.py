"""A Slurm of this machine's own, on loopback: its controller and three nodes, as Debian has them.

The nodes are daemons of one machine, each with an address and a port, as Slurm allows; what they
run shares its memory, its processes and its file system.
"""

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lab import wait_until

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "srun", "scancel")
NODES = 3
FIRST_PORT = 16821
UP_WITHIN_S = 120.0

CONFIGURATION = """
ClusterName=lab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
AuthType=auth/munge
# A job that is queued again waits until the credentials of its last start have expired.
AuthInfo=socket={folder}/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
# Without cgroups.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=1
PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_no_slurm() -> str | None:
    """Why Slurm cannot be set up here; None if it can."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        packages = "apt-get install slurmctld slurmd slurm-client munge"
        return f"without {', '.join(missing)}: {packages}"
    return None if os.geteuid() == 0 else "needs root"


@dataclass(frozen=True, slots=True)
class Slurm:
    """Its commands."""

    folder: Path

    def run(self, *command: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}: {done.stdout}"
        return done.stdout

    def state(self, job: str) -> dict[str, str]:
        """What Slurm says of a job."""
        told = self.run("scontrol", "show", "job", job, "--oneliner")
        return dict(word.split("=", 1) for word in told.split() if "=" in word)


@contextmanager
def slurm_lab(folder: Path) -> Iterator[Slurm]:
    """Slurm with the idle nodes n1, n2, n3 of one CPU each; ended with all that it still runs."""
    folder.chmod(0o755)
    (folder / "state").mkdir()
    key = folder / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(
            folder=folder,
            host=socket.gethostname(),
            nodes=NODES,
            controller_port=FIRST_PORT - 1,
            first=FIRST_PORT,
            last=FIRST_PORT + NODES - 1,
        )
    )
    slurm, started = Slurm(folder), []

    def start(*command: str) -> None:
        log = (folder / f"{len(started)}-{command[0]}.out").open("wb")
        env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        started.append(subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT))

    try:
        own = [f"--{kind}-file={folder}/munge.{kind}" for kind in ("pid", "log", "seed")]
        sock = folder / "munge.sock"
        start("munged", "--foreground", "--force", f"--socket={sock}", f"--key-file={key}", *own)
        wait_until("munge is up", sock.exists, UP_WITHIN_S)
        start("slurmctld", "-D")
        for node in range(1, NODES + 1):
            start("slurmd", "-D", "-N", f"n{node}")
        wait_until("the nodes are idle", lambda: _idle(slurm) == NODES, UP_WITHIN_S)
        yield slurm
    finally:
        _end(started)


def _idle(slurm: Slurm) -> int:
    done = subprocess.run(
        ["sinfo", "-h", "-N", "-t", "idle"],
        env={**os.environ, "SLURM_CONF": str(slurm.folder / "slurm.conf")},
        capture_output=True,
        text=True,
        check=False,
    )
    return len(done.stdout.splitlines())


def _end(started: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in reversed(started):
        process.send_signal(signal.SIGTERM)
    for process in started:
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
