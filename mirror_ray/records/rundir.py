"""Creates, checks, locks and describes a run directory, for one sweep and one writer at a time."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.plain_json import json_copy
from mirror_ray.records.head_claim import HeadClaim
from mirror_ray.records.head_lease import HeadLease
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.lock import LOOKED_AT_S, Lock, require_free
from mirror_ray.records.manifest import read_manifest, with_digest
from mirror_ray.records.planned_episodes import PLANNED_NAME, write_planned
from mirror_ray.records.run_folders import MANIFEST_NAME, require_enclosed
from mirror_ray.records.schemas import SCHEMA_VERSION
from mirror_ray.records.storage import home_of, is_address, names_in, storage_of, write_text
from mirror_ray.records.storage_fault import faults_reported
from mirror_ray.records.sweep_identity import FREE_KEYS, sweep_differences, sweep_sha

SWEEP_NAME = "sweep.yaml"

LOCK_NAME = ".run.lock"


class RunDir:
    """A run directory that this process may write; created if missing, with the folders above it.

    Args:
        out: a path on this machine, or an address in an object store.
        sweep: the resolved sweep as plain data.
        joins: called under the lock if the manifest is of another sweep; returns the sweep to
            record, or raises RunDirError. None refuses.
        replicate: where its journal is replicated, from which it is restored if it is not here.

    Raises:
        RunDirError: it cannot be written, is locked by a live run, belongs to another sweep, or is
            a folder of something else. Nothing in it has changed then.
    """

    def __init__(
        self,
        out: str,
        sweep: Mapping[str, Any],
        joins: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
        *,
        replicate: str | None = None,
    ) -> None:
        self.out = out if is_address(out) else str(Path(out).absolute())
        self.home = home_of(out)
        """The folder of the journal and the locks on this machine's disk."""
        self._sweep = json_copy(sweep)
        self._joins = joins
        self._lease: HeadLease | None = None
        with ExitStack() as held:
            require_enclosed(out)
            _make_writable(self.home)
            if not is_address(out):
                # Checked before the lock is taken, so that nothing is left in a foreign folder.
                names = {path.name for path in self.home.iterdir()}
                _refuse_foreign(out, names)
                if MANIFEST_NAME in names:
                    read_manifest(out)
            lock = Lock(self.home / LOCK_NAME, what=_named(out), wait_s=LOOKED_AT_S)
            held.callback(lock.close)
            with faults_reported(out, "the run directory cannot be used"):
                if is_address(out):
                    if replicate is not None:
                        self._lease = HeadLease(out, self.home, replicate)
                        held.callback(self._lease.close)
                    held.callback(HeadClaim(out, self.home, replicate).close)
                self._fs, self._root = storage_of(out)
                self._manifest = self._checked_manifest()
            self._held = held.pop_all()

    @property
    def sweep(self) -> Mapping[str, Any]:
        """The sweep for the manifest: as given, or as joined with the recorded one."""
        return dict(self._sweep)

    def describe(self, sweep_yaml: str, about: Mapping[str, Any]) -> None:
        """Write `sweep.yaml` and `manifest.json`; entries of earlier runs are kept.

        Args:
            sweep_yaml: the resolved sweep as text, for a person.
            about: JSON-able facts of this run. They are published with the data: no secrets.

        Raises:
            RunDirError: it cannot be written.
        """
        started_at = datetime.now(UTC).isoformat(timespec="seconds")
        earlier = self._manifest["runs"] if self._manifest else []
        self._write_manifest([*earlier, {"started_at": started_at, "hosts": {}, **about}])
        self._write_sweep(sweep_yaml)

    def renew(self, sweep_yaml: str) -> None:
        """Write the present sweep, whose free keys may differ, if nothing is left to play."""
        if self._manifest is not None and self._manifest["sweep"] != self._sweep:
            self._write_manifest(self._manifest["runs"])
            self._write_sweep(sweep_yaml)

    def list_planned(self, episodes: Sequence[EpisodeSpec]) -> None:
        """Write all episodes of the recorded sweep, which must not depend on replies. Raise
        RunDirError if that is impossible."""
        with faults_reported(self.out, f"{PLANNED_NAME} cannot be written"):
            write_planned(self.home, sweep_sha(self._sweep), episodes)

    def add_hosts(self, hosts: Mapping[str, Mapping[str, Any]]) -> None:
        """Add this run's drawing hosts to the manifest; earlier ones are kept. `hosts` maps names
        to JSON-able facts on which frames may depend."""
        *earlier, latest = self._manifest["runs"] if self._manifest else [{"hosts": {}}]
        known = {**latest["hosts"], **hosts}
        if known != latest["hosts"]:
            self._write_manifest([*earlier, {**latest, "hosts": known}])

    def note(self, key: str, facts: object) -> None:
        """Write changed facts of this run into the manifest, durably. They have to be JSON-able:
        see `records.served_models` and `records.control_changes`."""
        if self._manifest is None or not self._manifest["runs"]:
            return
        *earlier, latest = self._manifest["runs"]
        if latest.get(key) != facts:
            self._write_manifest([*earlier, {**latest, key: facts}])

    def _write_sweep(self, sweep_yaml: str) -> None:
        with faults_reported(self.out, f"{SWEEP_NAME} cannot be written"):
            write_text(self._fs, f"{self._root}/{SWEEP_NAME}", sweep_yaml)

    def _write_manifest(self, runs: Sequence[Mapping[str, Any]]) -> None:
        manifest = {
            "schema_version": SCHEMA_VERSION,
            "sweep_sha": sweep_sha(self._sweep),
            "sweep": self._sweep,
            "runs": runs,
        }
        text = json.dumps(with_digest(manifest), indent=2) + "\n"
        with faults_reported(self.out, f"{MANIFEST_NAME} cannot be written"):
            write_text(self._fs, f"{self._root}/{MANIFEST_NAME}", text)
        self._manifest = manifest

    def notes(self) -> list[str]:
        """Return what people should read before the run continues: where the journal is, or that it
        is missing."""
        notes = []
        if is_address(self.out):
            notes.append(f"Journal of {self.out}: {self.home}")
        if self._lease is not None:
            notes.append(f"Replica of the journal: {self._lease.replica}")
        if self._manifest is not None and not (self.home / JOURNAL_NAME).exists():
            notes.append(
                f"No journal of this run is in {self.home}: it resumes from the sealed episodes;"
                " what was in flight elsewhere is asked again."
            )
        return notes

    def close(self) -> None:
        """Release the directory."""
        self._held.close()

    def __enter__(self) -> "RunDir":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _checked_manifest(self) -> dict[str, Any] | None:
        out = self.out
        names = names_in(self._fs, self._root)
        if MANIFEST_NAME not in names:
            _refuse_foreign(out, names)
            return None
        manifest = read_manifest(out)
        if manifest["schema_version"] != SCHEMA_VERSION:
            raise RunDirError(
                out,
                f"records of schema version {manifest['schema_version']}",
                f"version {SCHEMA_VERSION}",
                "use another --out, or the version that wrote it; `mirror-ray sql` still reads it",
            )
        if manifest["sweep_sha"] != sweep_sha(self._sweep):
            if self._joins is not None:
                self._sweep = json_copy(self._joins(manifest))
                return manifest
            others = sweep_differences(manifest["sweep"], self._sweep)
            raise RunDirError(
                out,
                f"a run directory of another sweep: {others}",
                f"the same sweep (only {', '.join(FREE_KEYS)} may change)",
                "use another --out",
            )
        return manifest


def refuse_in_use(out: str) -> None:
    """Raise RunDirError if a live process of this machine uses run directory `out`."""
    require_free(home_of(out) / LOCK_NAME, what=_named(out), wait_s=LOOKED_AT_S)


def _named(out: str) -> str:
    return f"the run directory {out}" if is_address(out) else "the run directory"


def _refuse_foreign(out: str, names: Iterable[str]) -> None:
    """Refuse a folder with files but without a manifest. Locks, temporary files and a journal are
    allowed, because a run that was killed at its start leaves them behind."""
    held = set(names)
    others = sorted(name for name in held if not name.startswith((".", JOURNAL_NAME)))
    if others and MANIFEST_NAME not in held:
        raise RunDirError(
            out,
            f"a folder without {MANIFEST_NAME} that contains {', '.join(others[:5])}",
            "a new or empty folder, or a run directory",
            "use another --out",
        )


def _make_writable(path: Path) -> None:
    probe = path / ".writable"
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise RunDirError(
            str(path),
            "not a folder" if os.path.lexists(path) and not path.is_dir() else str(error.strerror),
            "a folder this user may create and write",
            "change its permissions, or use another --out (for an address: XDG_STATE_HOME)",
        ) from error
