"""`mirror-ray run --detach` starts a run in a new session, and prints how to reach it."""

import os
import subprocess
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from time import sleep

from mirror_ray.cli.show import console, print_json
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.own_interpreter import python_command, python_environment
from mirror_ray.core.untrusted import printable
from mirror_ray.engine.control.address import Address, noted_address
from mirror_ray.records.lock import is_held
from mirror_ray.records.run_log import RUN_LOG
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.records.storage import home_of
from mirror_ray.sweep.commands import OPTION, require_permission
from mirror_ray.sweep.load import load_plan

OUTPUT_NAME = ".run.out"
"""File in the run directory with the output that the run would have shown on a terminal."""

_LOOK_EVERY_S = 0.1
_MOST_SHOWN_BYTES = 20_000


def start(arguments: Namespace, overrides: Sequence[str]) -> int:
    """Print where the run is once it has its run directory; return its exit code if it ends first.

    Raises:
        SweepError: the sweep cannot be played; nothing was started.
        RunDirError: its output cannot be written.
    """
    plan = load_plan(arguments.sweep, overrides, arguments.out)
    require_permission(plan, allowed=arguments.allow_commands)
    out, home = plan.sweep.out, home_of(plan.sweep.out)
    if is_held(home / LOCK_NAME):
        raise RunDirError(
            f"{home}: the run directory is in use",
            "a run that plays",
            "one writer at a time",
            "mirror-ray status says whose it is; stop it with mirror-ray ctl DIR stop",
        )
    command = python_command("-m", "mirror_ray", "run", arguments.sweep, *overrides)
    command += ["--out", out, "--plain"]
    command += [OPTION] if arguments.allow_commands else []
    command += ["--registered", arguments.registered] if arguments.registered else []
    process = _started(command, home / OUTPUT_NAME)
    while (address := _of(process, home)) is None:
        if process.poll() is not None:
            break
        sleep(_LOOK_EVERY_S)
    exit_code = process.poll()
    facts = {
        "run_dir": out,
        "pid": process.pid,
        "socket": None if address is None else str(address.path),
        "log": str(home / RUN_LOG),
        "output": str(home / OUTPUT_NAME),
        "exit_code": exit_code,
    }
    if exit_code:
        sys.stderr.write(_end_of(home / OUTPUT_NAME))
    if arguments.json:
        print_json(facts)
    elif exit_code is None:
        console.print(
            f"Process {process.pid} plays it. Next:\nmirror-ray status {out}\n"
            f"mirror-ray ctl {out} pause",
            soft_wrap=True,
        )
    return exit_code or 0


def _of(process: subprocess.Popen[bytes], home: Path) -> Address | None:
    found = noted_address(home)
    return found if found is not None and found.pid == process.pid else None


def _started(command: Sequence[str], output: Path) -> subprocess.Popen[bytes]:
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(output, flags, 0o600)
    except OSError as error:
        raise RunDirError(
            str(output),
            error.strerror or str(error),
            "a folder this user may create and write",
            "change its permissions, or use another --out",
        ) from error
    with os.fdopen(descriptor, "wb") as file:
        # In a new session, neither Ctrl-C nor closing this terminal stops the run.
        return subprocess.Popen(  # noqa: S603 - ourselves
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=python_environment(),
        )


def _end_of(output: Path) -> str:
    with output.open("rb") as file:
        file.seek(max(0, output.stat().st_size - _MOST_SHOWN_BYTES))
        return printable(file.read().decode(errors="replace"))
