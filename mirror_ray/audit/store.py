"""Where a run directory keeps its audits: `audits/<name>/`, next to the shards and never in them.

`sheet.json` states what was drawn, `marks/<person>.json` what a person marked. Both may be in a
stranger's run directory and are therefore read within bounds, as plain data."""

import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from mirror_ray.audit.readings import MARKS
from mirror_ray.audit.sheet import Sheet
from mirror_ray.core.errors import RunDirError, SweepError, UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.records.storage import (
    is_address,
    join,
    make_folder,
    names_in,
    read_stored_text,
    storage_of,
    write_text,
)

_FOLDER, _MARKS = "audits", "marks"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?")
_SUFFIX = ".json"


def require_name(name: str, where: str) -> str:
    """Check the name of a sheet or of a person, which becomes part of a file's name. Raise
    SweepError if it could name another file."""
    if not _NAME.fullmatch(name):
        raise SweepError(
            where,
            repr(name),
            "1 to 40 letters, digits, dots, underscores and hyphens, the first and last a letter"
            " or digit",
            "e.g. anna",
        )
    return name


def audits_in(directory: str) -> tuple[str, ...]:
    """Return the names of a run directory's audits, sorted."""
    fs, root = storage_of(directory)
    return tuple(name for name in names_in(fs, f"{root}/{_FOLDER}") if _NAME.fullmatch(name))


class Audit:
    """One audit of a run directory."""

    def __init__(self, directory: str, name: str) -> None:
        self._directory, self._name = directory, name
        self._fs, self._root = storage_of(directory)

    @property
    def folder(self) -> str:
        """The folder's path, as people read it."""
        return join(self._directory, _FOLDER, self._name)

    def sheet(self) -> Sheet | None:
        """Return the sheet, or None if it was not drawn yet. Raise RunDirError if the file is not a
        sheet."""
        with self._sound("sheet.json"):
            facts = self._read("sheet.json")
            return None if facts is None else Sheet.of(facts)

    def keep_sheet(self, sheet: Sheet, as_csv: str) -> str:
        """Save a new sheet, and return the path of its CSV, as people read it."""
        self._write("sheet.json", sheet.facts)
        write_text(self._fs, f"{self._root}/{_FOLDER}/{self._name}/sheet.csv", as_csv)
        return join(self.folder, "sheet.csv")

    def marks(self) -> dict[str, dict[str, str]]:
        """Return each person's marks by id. Raise RunDirError if a file contains anything else."""
        folder = f"{self._root}/{_FOLDER}/{self._name}/{_MARKS}"
        people = [
            name.removesuffix(_SUFFIX)
            for name in names_in(self._fs, folder)
            if name.endswith(_SUFFIX)
        ]
        return {one: self.marks_of(one) for one in people if _NAME.fullmatch(one)}

    def marks_of(self, person: str) -> dict[str, str]:
        """Return a person's marks by id; none before the first. Raise RunDirError if the file
        contains anything else."""
        place = f"{_MARKS}/{person}{_SUFFIX}"
        with self._sound(place):
            facts = self._read(place)
            marks = {} if facts is None else facts
            if not isinstance(marks, dict) or not set(marks.values()) <= set(MARKS):
                raise UnfitError("other than marks", f"id: {' | '.join(MARKS)}", "remove the file")
            return marks

    def keep_marks(self, person: str, marks: Mapping[str, str]) -> dict[str, str]:
        """Add to a person's marks and return all of them, including those set on other pages. Raise
        RunDirError if the file contains anything else."""
        with self._alone():
            merged = {**self.marks_of(person), **marks}
            self._write(f"{_MARKS}/{person}{_SUFFIX}", dict(sorted(merged.items())))
        return merged

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes of this machine from changing the marks while the block runs."""
        folder = make_folder(self._fs, self._root, _FOLDER, self._name, _MARKS)
        if is_address(self._directory):
            yield
            return
        # The folder itself is locked, so that no lock file remains.
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            # Some file systems have no locks.
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _read(self, place: str) -> Any:
        try:
            text = read_stored_text(self._fs, f"{self._root}/{_FOLDER}/{self._name}/{place}")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise UnfitError(str(error), "a readable file", "restore it from a copy") from error
        return read_json(text)

    def _write(self, place: str, facts: object) -> None:
        *folders, name = place.split("/")
        folder = make_folder(self._fs, self._root, _FOLDER, self._name, *folders)
        write_text(self._fs, f"{folder}/{name}", json.dumps(facts, ensure_ascii=False, indent=1))

    @contextmanager
    def _sound(self, place: str) -> Iterator[None]:
        try:
            yield
        except (UnfitError, TypeError) as error:
            got, allowed, fix = (
                (error.got, error.allowed, error.fix)
                if isinstance(error, UnfitError)
                else (str(error), "what mirror-ray audit wrote", "remove the file")
            )
            raise RunDirError(join(self.folder, place), got, allowed, fix) from error
