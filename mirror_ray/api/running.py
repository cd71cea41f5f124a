"""`run` plays a sweep from Python: in a script, a notebook or any thread."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from signal import SIGINT
from tempfile import TemporaryDirectory
from typing import Any

from mirror_ray.api.loading import Location, load
from mirror_ray.api.runs import Runs
from mirror_ray.core import errors
from mirror_ray.core.errors import EngineError, LostError, MirrorRayError
from mirror_ray.core.own_interpreter import python_command, python_environment
from mirror_ray.core.plain_json import parse_json
from mirror_ray.engine.driver.run_summary import EXIT_INTERRUPTED, RunSummary

_COLUMNS = "500"
"""So wide that a line of progress is never broken here; the display may wrap it."""


def run(
    sweep: Location,
    *overrides: str,
    out: Location | None = None,
    quiet: bool = False,
    allow_commands: bool = False,
) -> Runs:
    """Play a sweep, and open what was recorded; the same call resumes a run that stopped.

    The run plays in a separate process; this call waits for it and prints its progress. On
    KeyboardInterrupt the run sends nothing more, records outstanding replies and then raises; a
    second one stops it at once. If the calling process ends, the run stops in order, too.

    Args:
        sweep: a file, or the short name of a shipped one.
        overrides: ``key=value``, as on the command line, e.g. ``"models=openai/gpt-5.1"``.
        out: the run directory, in place of the file's.
        quiet: print nothing.
        allow_commands: start the model servers that the sweep's catalogues name; read their
            commands first (``mirror-ray plan`` prints them).

    Returns:
        The opened run. The ``exit_code`` of its `Runs.summary` has the command's values: 0 done,
        1 some episodes failed, 3 out of budget.

    Raises:
        SweepError: the sweep's first problem, or a key that a model lacks; nothing was started.
        RunDirError: the run directory cannot be used: unwritable, of another sweep, locked.
        RenderError: nothing can be drawn here.
        EngineError: the cluster cannot be used; `LostError`: a part of it was lost for good.
        KeyboardInterrupt: the run was stopped, in order.
    """
    request = {
        "sweep": os.fspath(sweep),
        "overrides": list(overrides),
        "out": None if out is None else os.fspath(out),
        "allow_commands": allow_commands,
    }
    with TemporaryDirectory(prefix="mirror-ray-") as folder:
        answer = Path(folder) / "answer.json"
        code, last_line = _conducted(request, answer, quiet=quiet)
        told = parse_json(answer.read_text(encoding="utf-8")) if answer.exists() else {}
    summary = _summary(told, code, last_line)
    played = load(summary.out)
    played.summary = summary
    return played


def _conducted(request: Mapping[str, Any], answer: Path, *, quiet: bool) -> tuple[int, str]:
    """Play the request to its end; return the process's exit code and the last line it printed.

    The process's standard input stays open as long as this process lives."""
    last_line = ""
    with subprocess.Popen(  # noqa: S603 - our own interpreter, our own module
        python_command("-u", "-m", "mirror_ray.api.process", str(answer)),
        env=python_environment() | {"PYTHONIOENCODING": "utf-8", "COLUMNS": _COLUMNS},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        # Ctrl-C in a terminal or notebook reaches whole process groups; signal this process only
        # once.
        start_new_session=True,
    ) as process:
        assert process.stdin is not None  # noqa: S101 - piped
        assert process.stdout is not None  # noqa: S101 - piped
        process.stdin.write(f"{json.dumps(request)}\n")
        process.stdin.flush()
        while process.returncode is None:
            try:
                for line in process.stdout:
                    last_line = line.strip() or last_line
                    if not quiet:
                        print(line, end="", flush=True)
                process.wait()
            except KeyboardInterrupt:
                process.send_signal(SIGINT)
    return process.returncode, last_line


def _summary(told: Mapping[str, Any], code: int, last_line: str) -> RunSummary:
    """Return the summary that the process answered with.

    Raises:
        MirrorRayError: the error that it answered, or that it gave no answer.
        KeyboardInterrupt: it was stopped.
    """
    if "errors" in told:
        raise _error(told["errors"])
    if "interrupted" in told:
        raise KeyboardInterrupt("stopped: the same call resumes it")
    if "summary" not in told:
        kind = LostError if code == LostError.exit_code else EngineError
        raise kind(
            f"the process of the run ended with exit code {code}",
            last_line,
            "a process that lives as long as its run",
            "records are kept: the same call resumes the run",
        )
    values = told["summary"]
    summary = RunSummary(**{**values, "budgets_spent": tuple(values["budgets_spent"])})
    if summary.exit_code == EXIT_INTERRUPTED:
        left = summary.episodes_unplayed + summary.episodes_unpaid
        raise KeyboardInterrupt(
            f"stopped in order, {left:,} episodes are left: the same call resumes it"
            f" ({summary.out})"
        )
    return summary


def _error(told: Sequence[Mapping[str, Any]]) -> MirrorRayError:
    found: list[Any] = []
    for one in told:
        quoted = None if one["quoted"] is None else errors.Quoted(**one["quoted"])
        parts = {name: one[name] for name in ("where", "got", "allowed", "fix")}
        found.append(getattr(errors, one["kind"])(**parts, quoted=quoted))
    error: MirrorRayError = found[0] if len(found) == 1 else errors.SeveralErrors(found)
    return error
