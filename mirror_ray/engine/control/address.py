"""The place of a run's control socket: a private folder of this user.

A socket's path has at most 107 bytes, so the run directory only notes where it is."""

import json
import os
import socket
import stat
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from mirror_ray.core.bounded_files import read_bounded
from mirror_ray.core.errors import EngineError, RunDirError, UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.core.untrusted import bounded_int, one_printable_line

NOTE_NAME = ".control.json"
"""A file in the run directory that names the socket, the process and its host."""

_MOST_NOTE_BYTES = 4_096
_MOST_PATH_BYTES = 107
_PRIVATE = 0o700


@dataclass(frozen=True, slots=True)
class Address:
    """A run's control socket, and the process that listens on it."""

    path: Path
    pid: int
    host: str


def make_address(home: Path) -> Address:
    """Choose the socket of this process's run, and note it in `home`, which the caller has locked.
    Raise EngineError if no private folder can have it, RunDirError if it cannot be noted."""
    path = _folder(_name(home)) / _name(home)
    path.unlink(missing_ok=True)
    found = Address(path, os.getpid(), socket.gethostname())
    note = home / NOTE_NAME
    try:
        _write(note, json.dumps({"socket": str(path), "pid": found.pid, "host": found.host}))
    except OSError as error:
        raise RunDirError(
            str(note),
            error.strerror or str(error),
            "a disk with room, for where mirror-ray ctl finds the run",
            "make room on it, then run the same command again: nothing is lost",
        ) from error
    return found


def _write(note: Path, text: str) -> None:
    fresh = note.with_name(f"{NOTE_NAME}.tmp")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        fresh.replace(note)
    finally:
        fresh.unlink(missing_ok=True)


def noted_address(home: Path) -> Address | None:
    """Return the socket noted in the folder `home`; None without a valid note.

    A run directory may be a stranger's, so the socket must belong to this user and have the run's
    name."""
    try:
        found = read_json(read_bounded(home / NOTE_NAME, _MOST_NOTE_BYTES).decode())
    except (UnfitError, OSError, ValueError):
        return None
    facts: dict[str, Any] = found if isinstance(found, dict) else {}
    path, pid, host = facts.get("socket"), bounded_int(facts.get("pid")), facts.get("host")
    if not isinstance(path, str) or not isinstance(host, str) or pid is None:
        return None
    if Path(path).name != _name(home):
        return None
    return Address(Path(path), pid, one_printable_line(host, 100))


def is_own_socket(path: Path) -> bool:
    """Return whether the path is a socket that belongs to this user."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return False
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid()


def _name(home: Path) -> str:
    return f"{sha256(os.fsencode(home.resolve())).hexdigest()[:20]}.sock"


def _folder(name: str) -> Path:
    """Return ``$XDG_RUNTIME_DIR/mirror-ray``, or else a private folder among the temporary files,
    or in ``/tmp``, whose path is short."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(runtime) / "mirror-ray"
    fits = len(os.fsencode(folder / name)) <= _MOST_PATH_BYTES
    if not (runtime and fits and os.access(runtime, os.W_OK)):
        own = f"mirror-ray-{os.geteuid()}"
        folder = Path(gettempdir()) / own
        if len(os.fsencode(folder / name)) > _MOST_PATH_BYTES:
            folder = Path("/tmp") / own  # noqa: S108 - private, and its owner is checked
        if len(os.fsencode(folder / name)) > _MOST_PATH_BYTES:
            raise _no_folder(folder, "a path too long for a socket")
    try:
        folder.mkdir(mode=_PRIVATE, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise _no_folder(folder, error.strerror or str(error)) from error
    # In a folder that everybody may write to, somebody else may have created it first.
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise _no_folder(folder, "it is somebody else's")
    if stat.S_IMODE(found.st_mode) != _PRIVATE:
        folder.chmod(_PRIVATE)
    return folder


def _no_folder(folder: Path, got: str) -> EngineError:
    return EngineError(
        f"{folder}: no place for the run's control socket",
        got,
        "a short path to a folder of your own, with permissions 0700",
        "set XDG_RUNTIME_DIR to one, or remove this one",
    )
