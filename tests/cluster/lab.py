"""Several hosts on one machine: each has network, mounts, processes and an sshd of its own.

A host is a set of Linux namespaces with a copy on write of this machine's files. The test itself is
the laptop, at `LAPTOP`. Nothing leaves the bridge between them.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

BRIDGE = "mrlab0"
NETWORK = "10.79.0"
LAPTOP = f"{NETWORK}.1"
BOOT = Path(__file__).with_name("boot_host.sh")
NEEDED = ("ip", "nsenter", "unshare", "ssh", "ssh-keygen", "rsync")
OF_EACH_HOST = ("/tmp", "/run", "/srv")  # noqa: S108 - as boot_host.sh mounts them
UP_WITHIN_S = 60.0


def why_not_here() -> str | None:
    """What this machine lacks or forbids; None where a lab can be set up."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "hosts are network namespaces: needs Linux and root"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if not Path("/usr/sbin/sshd").exists():
        missing.append("sshd")
    if missing:
        return f"not installed: {', '.join(missing)} (iproute2, openssh-server, rsync)"
    environment = Path(sys.prefix).resolve()
    if any(environment.is_relative_to(folder) for folder in OF_EACH_HOST):
        return f"hosts do not see {environment}: they have {environment.parts[1]} of their own"
    probe = ["unshare", "--net", "--mount", "--pid", "--uts", "--ipc", "--fork", "true"]
    if subprocess.run(probe, check=False, capture_output=True).returncode:
        return "namespaces are not permitted here"
    return None


def wait_until(what: str, is_so: Callable[[], object], within_s: float) -> None:
    """Polls until it is so.

    Raises:
        TimeoutError: it is not so for `within_s`.
    """
    deadline_s = monotonic() + within_s
    while not is_so():
        if monotonic() > deadline_s:
            raise TimeoutError(f"not within {within_s:.0f} s: {what}")
        sleep(0.2)


@dataclass(slots=True)
class Host:
    """One host.

    Args:
        state: folder with the lab's keys and logs.
    """

    name: str
    address: str
    state: Path
    known: str
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def netns(self) -> str:
        return f"mrlab-{self.name}"

    @property
    def link(self) -> str:
        return f"mrlab-{self.name}"

    def boot(self) -> None:
        (self.state / self.name).mkdir()
        hosts_file = self.state / "hosts"
        hosts_file.write_text(self.known)
        ip("netns", "add", self.netns)
        ip("link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.netns)
        ip("link", "set", self.link, "master", BRIDGE, "up")
        ip("-n", self.netns, "link", "set", "lo", "up")
        ip("-n", self.netns, "addr", "add", f"{self.address}/24", "dev", "eth0")
        ip("-n", self.netns, "link", "set", "eth0", "up")
        # Ray finds its own address by asking which way the world is; nothing is sent there.
        ip("-n", self.netns, "route", "add", "default", "via", LAPTOP)
        with (self.state / f"{self.name}.log").open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *("nsenter", f"--net=/run/netns/{self.netns}"),
                    *("unshare", "--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child"),
                    *("--propagation", "private"),
                    *(str(BOOT), self.name, str(self.state), str(hosts_file)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def has_sshd(self) -> bool:
        ssh = ["ssh", *SSH, "-i", str(self.state / "id"), f"root@{self.address}", "true"]
        return subprocess.run(ssh, check=False, capture_output=True).returncode == 0

    def spawn(self, command: str) -> subprocess.Popen[str]:
        """A command in a login shell of the host."""
        return subprocess.Popen(
            [
                *("nsenter", "-t", str(self.first_pid()), "-n", "-m", "-p", "-u", "-i", "-r", "-w"),
                *("--", "env", "-i", "HOME=/srv/home", "TERM=dumb", f"PATH={os.defpath}"),
                *("bash", "-lc", command),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str, *, check: bool = True) -> str:
        """What such a command prints."""
        process = self.spawn(command)
        printed, _ = process.communicate()
        if check and process.returncode:
            raise RuntimeError(f"{self.name}: {command}: exit {process.returncode}\n{printed}")
        return printed

    def start(self, command: str) -> None:
        """A command that runs for as long as the host does."""
        self.run(f"setsid {command} >>/tmp/started.log 2>&1 </dev/null & disown")

    def seen(self, path: str) -> Path:
        """Where this machine sees a file or folder of the host."""
        return Path(f"/proc/{self.first_pid()}/root{path}")

    def first_pid(self) -> int:
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return int(children.read_text().split()[0])

    def kill(self, *names: str) -> list[int]:
        """SIGKILL to the host's processes whose command line has one of these words; their pids."""
        assert self.process is not None
        inside = Path(f"/proc/{self.first_pid()}/ns/pid").stat().st_ino
        victims = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            with suppress(OSError):
                if (entry / "ns" / "pid").stat().st_ino != inside:
                    continue
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if any(name in line for name in names):
                    os.kill(int(entry.name), signal.SIGKILL)
                    victims.append(int(entry.name))
        return victims

    def cut(self) -> None:
        """Nothing reaches the host any more, nor comes from it; its processes run on."""
        ip("link", "set", self.link, "down")

    def mend(self) -> None:
        ip("link", "set", self.link, "up")

    def halt(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        for leftover in (("netns", "del", self.netns), ("link", "del", self.link)):
            subprocess.run(["ip", *leftover], capture_output=True, check=False)


SSH = (
    *("-q", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no"),
    *("-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=2"),
)


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@contextmanager
def lab(state: Path, workers: int) -> Iterator[dict[str, Host]]:
    """Hosts `head`, `w1`, `w2`, …, up and reachable by ssh with the key `state`/id."""
    state.chmod(0o700)
    for key in ("id", "host_key"):
        keygen = f"ssh-keygen -q -t ed25519 -N '' -f {shlex.quote(str(state / key))}"
        subprocess.run(shlex.split(keygen), check=True)
    addresses = {"head": f"{NETWORK}.10"}
    addresses |= {f"w{n}": f"{NETWORK}.{10 + n}" for n in range(1, workers + 1)}
    known = "127.0.0.1 localhost\n" + "".join(
        f"{address} {name}\n" for name, address in {"laptop": LAPTOP, **addresses}.items()
    )
    hosts = {name: Host(name, address, state, known) for name, address in addresses.items()}
    ip("link", "add", BRIDGE, "type", "bridge")
    try:
        ip("addr", "add", f"{LAPTOP}/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for host in hosts.values():
            host.boot()
        for host in hosts.values():
            wait_until(f"{host.name}: {host.state / host.name}.log", host.has_sshd, UP_WITHIN_S)
        yield hosts
    finally:
        for host in hosts.values():
            host.halt()
        ip("link", "del", BRIDGE)
