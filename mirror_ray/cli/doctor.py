"""`mirror-ray doctor`: is this machine fit to run a sweep? Starts no actor, calls nobody."""

import os
import resource
import shutil
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from rich.markup import escape
from rich.table import Table

from mirror_ray.cli.show import console, print_json
from mirror_ray.errors import MirrorRayError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.credentials import wanted_env
from mirror_ray.world.gl import self_test

_PACKAGES = ("ray", "mujoco", "numpy", "pyarrow", "duckdb", "litellm", "omegaconf", "rich")
_ENOUGH_DISK_GB = 2.0
_ENOUGH_FILES = 4096
_STYLE = {"ok": "green", "note": "yellow", "fault": "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: a fault keeps sweeps from running, a note is good to know."""

    topic: str
    verdict: Literal["ok", "note", "fault"]
    what: str


def main(arguments: Namespace) -> int:
    """Prints the findings; 1 when one is a fault."""
    findings = [finding for check in _CHECKS for finding in check()]
    if arguments.json:
        print_json([asdict(finding) for finding in findings])
    else:
        table = Table(show_header=False, box=None)
        for finding in findings:
            style = _STYLE[finding.verdict]
            table.add_row(
                f"[{style}]{finding.verdict}[/{style}]", finding.topic, escape(finding.what)
            )
        console.print(table)
    return int(any(finding.verdict == "fault" for finding in findings))


def _rendering() -> Iterator[Finding]:
    try:
        gl = self_test()
    except MirrorRayError as error:
        yield Finding("rendering", "fault", str(error))
    else:
        yield Finding("rendering", "ok", f"{gl.renderer} ({gl.vendor}), OpenGL {gl.version}")


def _packages() -> Iterator[Finding]:
    for package in _PACKAGES:
        try:
            yield Finding(package, "ok", version(package))
        except PackageNotFoundError:
            yield Finding(package, "fault", f"not installed: pip install {package}")


def _machine() -> Iterator[Finding]:
    yield Finding("cores", "ok", str(len(os.sched_getaffinity(0))))
    free_gb = shutil.disk_usage(Path.cwd()).free / 1e9
    enough = free_gb >= _ENOUGH_DISK_GB
    yield Finding("disk", "ok" if enough else "note", f"{free_gb:.1f} GB free here")
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = soft != resource.RLIM_INFINITY and soft < _ENOUGH_FILES
    advice = f"; large clusters want ulimit -n {_ENOUGH_FILES} or more" if few else ""
    yield Finding("open files", "note" if few else "ok", f"{soft} allowed{advice}")
    address = os.environ.get("RAY_ADDRESS")
    where = f"RAY_ADDRESS={address}" if address else "a local one, started by each run"
    yield Finding("Ray cluster", "ok", where)


def _keys() -> Iterator[Finding]:
    catalogue = load_catalogue()
    wanted: Counter[str] = Counter()
    for name in catalogue.match("*"):
        wanted.update(wanted_env(catalogue.resolve(name, where="catalogue"), os.environ))
    for variable, models in sorted(wanted.items()):
        is_set = bool(os.environ.get(variable))
        what = f"{'set' if is_set else 'not set'}; for {models} catalogued models"
        yield Finding(variable, "ok" if is_set else "note", what)


_CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (_rendering, _packages, _machine, _keys)
