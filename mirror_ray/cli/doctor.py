"""`mirror-ray doctor` checks this machine, optionally against a sweep. Makes no API calls."""

import os
import resource
import shutil
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.table import Table
from rich.text import Text

from mirror_ray.cli import doctor_gpu
from mirror_ray.cli.doctor_sweep import findings_on
from mirror_ray.cli.show import Finding, console, print_json
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.credentials import wanted_env
from mirror_ray.records.environment import lock_facts
from mirror_ray.world.opengl.context import self_test

_PACKAGES = ("ray", "mujoco", "numpy", "pyarrow", "duckdb", "litellm", "omegaconf", "rich")
_ENOUGH_DISK_GB = 2.0
_ENOUGH_FILES = 4096
_STYLE = {"ok": "green", "note": "yellow", "fault": "red"}


def main(arguments: Namespace) -> int:
    """Print the findings, or check only renderers; return 1 if a finding is a fault."""
    if arguments.gpu or arguments.renderers:
        counts = arguments.renderers or doctor_gpu.RENDERER_COUNTS
        return doctor_gpu.main(on_gpus=arguments.gpu, counts=counts, as_json=arguments.json)
    of_the_sweep: tuple[Callable[[], Iterator[Finding]], ...] = (_keys,)
    if arguments.sweep is not None:
        of_the_sweep = (
            lambda: findings_on(
                arguments.sweep,
                arguments.overrides,
                arguments.out,
                allow_commands=arguments.allow_commands,
            ),
        )
    findings = [finding for check in (*_CHECKS, *of_the_sweep) for finding in check()]
    if arguments.json:
        print_json([asdict(finding) for finding in findings])
    else:
        table = Table(show_header=False, box=None)
        for finding in findings:
            verdict = Text(finding.verdict, style=_STYLE[finding.verdict])
            table.add_row(verdict, finding.topic, finding.what)
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
    differs = lock_facts()["differs"]
    named = [
        f"{name} {its['installed']}, not {' or '.join(its['locked'])}"
        for name, its in differs.items()
    ]
    what = f"other versions than tested: {'; '.join(named)}" if named else "all versions as tested"
    yield Finding("lock", "note" if named else "ok", what)


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
        models_of = f"{models:,} catalogued model{'' if models == 1 else 's'}"
        what = f"{'set' if is_set else 'not set'}; for {models_of}"
        yield Finding(variable, "ok" if is_set else "note", what)


_CHECKS: tuple[Callable[[], Iterator[Finding]], ...] = (_rendering, _packages, _machine)
