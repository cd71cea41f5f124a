"""A run directory: made, checked, locked, described; of one sweep and one writer at a time.

Knows `manifest.json` and `sweep.yaml`; does not know what a sweep means: the caller passes it as
plain data. The manifest is what makes a folder a run directory.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from mirror_ray.errors import RunDirError
from mirror_ray.identity import content_hash
from mirror_ray.records.claim import Claim
from mirror_ray.records.journal import JOURNAL_NAME
from mirror_ray.records.lock import Lock
from mirror_ray.records.schemas import SCHEMA_VERSION
from mirror_ray.records.storage import (
    home_of,
    is_address,
    names_in,
    read_text,
    storage_of,
    write_text,
)
from mirror_ray.records.storage_fault import faults_told, storage_fault

MANIFEST_NAME, SWEEP_NAME = "manifest.json", "sweep.yaml"

FREE_KEYS: tuple[str, ...] = (
    "out",
    "engine*",
    "budget_usd",
    "budget_per_model_usd*",
    "budget_per_cell_usd",
    "stages.*.weight",
    "stages.*.data",
    "stages.*.seed_file",
    "stages.*.bank",
)
"""Keys of a sweep that change no row: a run may go on with more money or on other machines, where
its files may lie elsewhere (what they hold is part of the episodes, or of the sweep as a hash)."""

_LOCK_NAME = ".run.lock"


class RunDir:
    """A run directory that this process may write; made if need be, with the folders above it.

    Args:
        out: a path on this machine, or an address in an object store.
        sweep: the resolved sweep as plain data.

    Raises:
        RunDirError: it cannot be written, is locked by a live run, belongs to another sweep, or
            is a folder of something else. Nothing in it has changed then.
    """

    def __init__(self, out: str, sweep: Mapping[str, Any]) -> None:
        self.out = out if is_address(out) else str(Path(out).absolute())
        self.home = home_of(out)
        """The folder on this machine's disk that holds the journal and the locks."""
        self._sweep = json.loads(json.dumps(sweep))
        with ExitStack() as held:
            _make_writable(self.home)
            what = f"the run directory {out}" if is_address(out) else "the run directory"
            lock = Lock(self.home / _LOCK_NAME, what=what)
            held.callback(lock.close)
            with faults_told(out, "the run directory cannot be used"):
                if is_address(out):
                    held.callback(Claim(out, self.home).close)
                self._fs, self._root = storage_of(out)
                self._manifest = self._checked_manifest()
            self._held = held.pop_all()

    def describe(self, sweep_yaml: str, about: Mapping[str, Any]) -> None:
        """Write `sweep.yaml` and `manifest.json`; what earlier runs wrote about theirs is kept.

        Args:
            sweep_yaml: the resolved sweep as text, for a person.
            about: JSON-able facts of this run: versions, GL, CPU, prompts, models and prices.
                Whatever stands in it is published with the data: no secrets.

        Raises:
            RunDirError: it cannot be written.
        """
        started_at = datetime.now(UTC).isoformat(timespec="seconds")
        earlier = self._manifest["runs"] if self._manifest else []
        self._write_manifest([*earlier, {"started_at": started_at, "hosts": {}, **about}])
        self._write_sweep(sweep_yaml)

    def renew(self, sweep_yaml: str) -> None:
        """Put down the sweep as it is now, where nothing is left to play: free keys may differ.

        Raises:
            RunDirError: it cannot be written.
        """
        if self._manifest is not None and self._manifest["sweep"] != self._sweep:
            self._write_manifest(self._manifest["runs"])
            self._write_sweep(sweep_yaml)

    def add_hosts(self, hosts: Mapping[str, Mapping[str, Any]]) -> None:
        """Put down in the manifest where this run draws; hosts that stand there already stay.

        Args:
            hosts: name → JSON-able facts that frames may depend on.

        Raises:
            RunDirError: it cannot be written.
        """
        *earlier, latest = self._manifest["runs"] if self._manifest else [{"hosts": {}}]
        if hosts.keys() - latest["hosts"].keys():
            self._write_manifest([*earlier, {**latest, "hosts": {**hosts, **latest["hosts"]}}])

    def _write_sweep(self, sweep_yaml: str) -> None:
        with faults_told(self.out, f"{SWEEP_NAME} cannot be written"):
            write_text(self._fs, f"{self._root}/{SWEEP_NAME}", sweep_yaml)

    def _write_manifest(self, runs: Sequence[Mapping[str, Any]]) -> None:
        manifest = {
            "schema_version": SCHEMA_VERSION,
            "sweep_sha": sweep_sha(self._sweep),
            "sweep": self._sweep,
            "runs": runs,
        }
        text = json.dumps(manifest, indent=2) + "\n"
        with faults_told(self.out, f"{MANIFEST_NAME} cannot be written"):
            write_text(self._fs, f"{self._root}/{MANIFEST_NAME}", text)
        self._manifest = manifest

    def notes(self) -> list[str]:
        """What a person should know before it goes on: where the journal is, or that it is not."""
        notes = []
        if is_address(self.out):
            notes.append(f"Journal of {self.out}: {self.home}")
        if self._manifest is not None and not (self.home / JOURNAL_NAME).exists():
            notes.append(
                f"No journal of this run is in {self.home}: it goes on from the sealed episodes;"
                " what was under way elsewhere is asked again."
            )
        return notes

    def close(self) -> None:
        """Let others have it."""
        self._held.close()

    def __enter__(self) -> "RunDir":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _checked_manifest(self) -> dict[str, Any] | None:
        out = self.out
        names = names_in(self._fs, self._root)
        if MANIFEST_NAME not in names:
            # Locks, temporary files and a journal are what a run killed at its start leaves.
            others = [name for name in names if not name.startswith((".", JOURNAL_NAME))]
            if others:
                raise _refusal(
                    out,
                    f"a folder without {MANIFEST_NAME} that holds {', '.join(others[:5])}",
                    "a new or empty folder, or a run directory",
                    "use another --out",
                )
            return None
        manifest = read_manifest(out)
        if manifest["schema_version"] != SCHEMA_VERSION:
            raise _refusal(
                out,
                f"records of schema version {manifest['schema_version']}",
                f"version {SCHEMA_VERSION}",
                "go on with the release that began it, or use another --out",
            )
        if manifest["sweep_sha"] != sweep_sha(self._sweep):
            raise _refusal(
                out,
                f"a run directory of another sweep: {_differences(manifest['sweep'], self._sweep)}",
                f"the same sweep (only {', '.join(FREE_KEYS)} may change)",
                "use another --out",
            )
        return manifest


def sweep_sha(sweep: Mapping[str, Any]) -> str:
    """Which sweep it is: a hash over all its keys but the free ones."""
    return content_hash({key: value for key, value in _leaves(sweep) if not _is_free(key)})


def read_manifest(out: str) -> dict[str, Any]:
    """The manifest of run directory `out`.

    Raises:
        RunDirError: there is none, or it is damaged.
    """
    try:
        fs, root = storage_of(out)
        manifest = json.loads(read_text(fs, f"{root}/{MANIFEST_NAME}"))
        missing = {"schema_version", "sweep_sha", "sweep", "runs"} - set(manifest)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise _refusal(
            out, f"no {MANIFEST_NAME} there", "a run directory", "check the path"
        ) from error
    except OSError as error:
        raise storage_fault(out, error, f"{MANIFEST_NAME} cannot be read") from error
    except (ValueError, TypeError) as error:
        raise _damaged(out, str(error)) from error
    if missing:
        raise _damaged(out, f"without {', '.join(sorted(missing))}")
    return dict(manifest)


def _make_writable(path: Path) -> None:
    probe = path / ".writable"
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise _refusal(
            str(path),
            error.strerror or str(error),
            "a folder this user may create and write",
            "change its permissions, or use another --out (for an address: XDG_STATE_HOME)",
        ) from error


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], shown: int = 5) -> str:
    before, now = dict(_leaves(old)), dict(_leaves(new))
    changed = [
        f"{key} = {now.get(key, 'absent')} (there: {before.get(key, 'absent')})"
        for key in sorted(before.keys() | now.keys())
        if not _is_free(key) and before.get(key) != now.get(key)
    ]
    more = f"; {len(changed) - shown} more" if len(changed) > shown else ""
    return "; ".join(changed[:shown]) + more


def _is_free(key: str) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in FREE_KEYS)


def _leaves(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(dotted key, value as JSON) of every leaf; an empty container is one."""
    if isinstance(node, Mapping) and node:
        children = [(str(key), child) for key, child in node.items()]
    elif isinstance(node, list) and node:
        children = [(str(index), child) for index, child in enumerate(node)]
    else:
        yield path, json.dumps(node)
        return
    for key, child in children:
        yield from _leaves(child, f"{path}.{key}" if path else key)


def _damaged(out: str, what: str) -> RunDirError:
    return _refusal(
        out,
        f"a damaged {MANIFEST_NAME}: {what}",
        "the file as this program wrote it",
        "restore it from a copy, or use another --out",
    )


def _refusal(out: str, got: str, allowed: str, fix: str) -> RunDirError:
    return RunDirError(f"{out}\n  got:     {got}\n  allowed: {allowed}\n  fix:     {fix}")
