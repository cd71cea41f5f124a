"""Runs a program, and kills it with its descendants once the process that started this ended.

python -I -S guard.py PROGRAM ARGUMENT …

At the end of its standard input everything is killed. A byte on it asks the program to end by
itself first. Imports the standard library alone.

Two processes watch the program, and each ends everything once the other has ended: a Ray worker
that exits in order kills its own children first, and processes that they started would survive."""

import ctypes
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
GRACE_S = 10.0
"""Seconds between the request to end and the kill, in which an engine frees its GPU in order."""

ROUND_S = 0.05
EXIT_NOT_STARTED = 127


def main(argv: list[str]) -> int:
    """Return the program's exit code, 128 plus the signal if one ended it."""
    libc = ctypes.CDLL(None)
    # Ray's workers, which start this, block these signals, one of which asks the program to end.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    # Orphaned grandchildren become children of this process, which can then find them.
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    outer = os.pidfd_open(os.getpid())
    inner = os.fork()
    if not inner:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        os._exit(_run(argv, libc, outer))
    _, status = os.waitpid(inner, 0)
    _end_descendants()
    return _exit_code(os.waitstatus_to_exitcode(status))


def _run(argv: list[str], libc: ctypes.CDLL, outer: int) -> int:
    try:
        program = subprocess.Popen(  # noqa: S603 - the program that the user's catalogue names
            argv,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            # If this process itself is killed, the program ends with it.
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0),  # noqa: PLW1509 - one thread
        )
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", flush=True)
        return EXIT_NOT_STARTED
    ended = os.pidfd_open(program.pid)
    readable, _, _ = select.select([0, ended, outer], [], [])
    if outer not in readable and 0 in readable and os.read(0, 1):
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGTERM)
        select.select([0, ended, outer], [], [], GRACE_S)
    code = program.poll()
    _end_descendants()
    return 128 + signal.SIGKILL if code is None else _exit_code(code)


def _exit_code(code: int) -> int:
    return code if code >= 0 else 128 - code


def _end_descendants() -> None:
    while True:
        for pid in _children():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not _children():
            return
        select.select([], [], [], ROUND_S)


def _children() -> list[int]:
    here = str(os.getpid())
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                # The name, which may contain anything, ends at the last bracket.
                fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if fields[1] == here:
                    found.append(int(folder.name))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
