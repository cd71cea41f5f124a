"""The Python interpreters that this program starts.

None of them imports from the current folder, which may be a stranger's: a `types.py` next to a
sweep, or in a run directory, would replace the standard library's."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_OUR_ROOT = Path(__file__).resolve().parents[2]


def python_command(*words: str) -> list[str]:
    """Return the command for this interpreter with these words, without the current folder on its
    path."""
    return [sys.executable, "-P", *words]


def python_environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment in which another interpreter imports what this one imports."""
    path = os.pathsep.join(_trusted(sys.path))
    return {**environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


def forget_current_folder() -> None:
    """Take the current folder off this process's path, and off the path of its children."""
    sys.path[:] = _trusted(sys.path)
    os.environ["PYTHONSAFEPATH"] = "1"
    if "PYTHONPATH" in os.environ:
        given = os.environ["PYTHONPATH"].split(os.pathsep)
        os.environ["PYTHONPATH"] = os.pathsep.join(_trusted(given))


@contextmanager
def in_root_folder() -> Iterator[None]:
    """Run the block in ``/``, where strangers cannot write.

    Ray puts the folder in which it is initialised on the path of every worker."""
    try:
        before = os.open(".", os.O_RDONLY)
    except OSError:
        # The current folder was deleted: there is nothing to return to.
        before = -1
    os.chdir("/")
    try:
        yield
    finally:
        if before >= 0:
            with suppress(OSError):
                os.fchdir(before)
            os.close(before)


def _trusted(path: Sequence[str]) -> list[str]:
    return [one for one in path if Path(one).is_absolute() and not _is_current_folder(one)]


def _is_current_folder(entry: str) -> bool:
    try:
        return Path(entry).samefile(".") and Path(entry).resolve() != _OUR_ROOT
    except OSError:
        return False
