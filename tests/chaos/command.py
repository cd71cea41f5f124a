"""One and the same command, and the processes it consists of.

Knows the command line and what the processes are called; does not know when to kill which.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ray.thirdparty_files import psutil
from witness_server import TOKENS_PER_IMAGE, USD_PER_MTOK_IN, USD_PER_MTOK_OUT

from support.loopback import Loopback

SIMULATORS, IN_FLIGHT = 2, 3
SEATS = SIMULATORS * IN_FLIGHT
"""Asks that can be under way at once."""

ACTORS = ("Simulator", "Provider", "Limiter", "Recorder")
WHOLE = ("node", "raylet", "gcs", "driver", "head")
"""Victims with whom every process of the run ends."""

OUTLIVED = ("node", "raylet", "gcs")
"""Of these: the driver notices, and ends by itself."""

_CATALOGUE = f"""\
models:
  local/witness:
    target: hosted_vllm/blind
    base_url: {{base_url}}
    sends_seed: true
    timeout_s: 100
    tokens_per_image: {TOKENS_PER_IMAGE}
    usd_per_mtok_in: {USD_PER_MTOK_IN}
    usd_per_mtok_out: {USD_PER_MTOK_OUT}
"""

_SWEEP = f"""\
name: chaos
models: [local/witness]
catalogue: [{{catalogue}}]
stages:
  - {{{{family: selfid, conditions: [E1, E4, E5], seeds: 4, temperature: [0.2], max_steps: [12]}}}}
engine: {{{{simulators: {SIMULATORS}, providers: 1, in_flight: {IN_FLIGHT}}}}}
out: {{out}}
"""


@dataclass(frozen=True, slots=True)
class Command:
    """``mirror-ray run`` on a sweep of twelve episodes."""

    folder: Path
    out_name: str = "out"

    @property
    def out(self) -> Path:
        return self.folder / self.out_name

    def write(self, server: Loopback) -> None:
        """Writes the sweep file and its catalogue."""
        catalogue = self.folder / "models.yaml"
        catalogue.write_text(_CATALOGUE.format(base_url=server.base_url))
        self.sweep.write_text(_SWEEP.format(catalogue=catalogue, out=self.out))

    @property
    def sweep(self) -> Path:
        return self.folder / "sweep.yaml"

    def start(self, *overrides: str) -> "Life":
        program = Path(sys.executable).with_name("mirror-ray")
        words = [str(program), "run", str(self.sweep), *overrides, "--plain"]
        with (self.folder / "told.txt").open("a") as told:
            return Life(
                subprocess.Popen(
                    words,
                    stdout=told,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, "RAY_AUTH_MODE": "disabled"},
                )
            )

    def told(self) -> str:
        """What all its lives have printed."""
        return (self.folder / "told.txt").read_text()


@dataclass(frozen=True, slots=True)
class Life:
    """The command from a start to its end."""

    driver: subprocess.Popen

    @property
    def ended(self) -> bool:
        return self.driver.poll() is not None

    def processes(self) -> list[psutil.Process]:
        """The driver, and everything it has started."""
        try:
            driver = psutil.Process(self.driver.pid)
            return [driver, *driver.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def victims(self, kind: str) -> list[psutil.Process]:
        """Whom to kill; nobody where that part of the run is not there just now."""
        driver, *others = self.processes() or [None]
        if driver is None or kind == "driver":
            return [driver] if driver else []
        if kind in ACTORS:
            return [one for one in others if name_of(one).startswith(f"ray::{kind}")]
        raylets = [one for one in others if name_of(one) == "raylet"]
        heads = [one for one in others if name_of(one) == "gcs_server"]
        if kind == "raylet":
            return raylets
        if kind == "gcs":
            return heads
        if kind == "node":
            return [*raylets, *(worker for one in raylets for worker in _below(one))]
        return [driver, *heads, *raylets] if heads else []


def _below(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def name_of(process: psutil.Process) -> str:
    try:
        return process.name()
    except psutil.NoSuchProcess:
        return ""
