"""The process in which a run from Python is played: ``python -m mirror_ray.api.process ANSWER``.

A run needs the main thread's signals and an event loop, and ends its process if Ray's head is lost:
a notebook's kernel must be spared this. The request is a line of JSON on standard input; the answer
is the file ANSWER. When standard input ends, the caller has exited, and the run stops in order."""

import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from threading import Thread
from typing import Any

from mirror_ray.core.errors import MirrorRayError, SeveralErrors
from mirror_ray.core.plain_json import parse_json
from mirror_ray.engine.driver.interrupts import stop_as_interrupt


def main(answer: str) -> None:
    """Play the requested run, and write the answer: a summary, an error or neither."""
    # A caller started in the background of a script ignores SIGINT, and this process inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stop_as_interrupt()
    request = parse_json(sys.stdin.readline())
    Thread(target=_stop_with_the_caller, daemon=True).start()
    told: dict[str, Any]
    try:
        told = {"summary": _played(**request)}
    except MirrorRayError as error:
        several = error.problems if isinstance(error, SeveralErrors) else (error,)
        told = {"errors": [_parts(one) for one in several]}
    except KeyboardInterrupt:
        told = {"interrupted": True}
    Path(answer).write_text(json.dumps(told), encoding="utf-8")


def _parts(error: MirrorRayError) -> dict[str, Any]:
    quoted = None if error.quoted is None else asdict(error.quoted)
    parts = {"where": error.where, "got": error.got, "allowed": error.allowed, "fix": error.fix}
    return {"kind": type(error).__name__, **parts, "quoted": quoted}


def _played(
    sweep: str, overrides: list[str], out: str | None, *, allow_commands: bool
) -> dict[str, Any]:
    # Imported late: they take seconds, in which a stop may arrive.
    from mirror_ray.api.playing import play  # noqa: PLC0415
    from mirror_ray.core.terminal import Terminal  # noqa: PLC0415
    from mirror_ray.records.storage_fault import faults_reported  # noqa: PLC0415
    from mirror_ray.sweep.load import load_plan  # noqa: PLC0415

    console = Terminal()
    plan = load_plan(sweep, overrides, out)
    summary = play(plan, console=console, plain=True, allow_commands=allow_commands)
    where = plan.sweep.out
    from mirror_ray.analysis.summary import violations  # noqa: PLC0415 - late, as DuckDB
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    with faults_reported(where, "the results cannot be read"), open_run(where) as connection:
        for violation in violations(connection):
            console.print(f"invariant violated: {violation}")
    return asdict(summary)


def _stop_with_the_caller() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(sys.argv[1])
