"""Compares a run directory with what its seal states. A run that has grown keeps its seals."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mirror_ray.attestation.contents import (
    LOG,
    MANIFEST,
    SHARD_FOLDERS,
    JournalContents,
    covered_files,
    file_digest,
    read_journal,
    reply_hash,
    run_root,
)
from mirror_ray.attestation.statement import PREDICATE_TYPE, STATEMENT_TYPE
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import MirrorRayError, RunDirError
from mirror_ray.core.plain_json import parse_json
from mirror_ray.records.journal.commit_count import noted_commits
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.manifest import without_digest
from mirror_ray.records.shards.reader import entries_of, sealed_batches
from mirror_ray.records.sweep_identity import sweep_sha


@dataclass(slots=True)
class SealComparison:
    """How a run directory differs from the seal.

    Args:
        altered: what was changed, removed or damaged since; it is not what was signed.
        later: what a run adds or rewrites as it continues; the sealed part is not affected.
    """

    altered: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A seal's content, checked to have the expected form."""

    predicate: Mapping[str, Any]
    manifest_text: str
    manifest: Mapping[str, Any]
    files: Mapping[str, Mapping[str, Any]]
    journal: JournalContents | None
    root: str


def sealed_of(statement: Mapping[str, Any], where: str) -> Sealed:
    """Return a statement's content. Raise RunDirError if the form is wrong, or the Merkle root is
    not that of the parts."""
    try:
        if (statement["_type"], statement["predicateType"]) != (STATEMENT_TYPE, PREDICATE_TYPE):
            raise ValueError(f"its predicate is {str(statement['predicateType'])[:80]!r}")
        predicate = statement["predicate"]
        text, files, journal = (predicate[name] for name in ("manifest", "files", "journal"))
        manifest = without_digest(parse_json(text))
        if any(_leads_elsewhere(name) for name in files):
            raise ValueError("a file outside the run directory")
        if journal is not None:
            tables = {name: (int(n), str(root)) for name, (n, root) in journal["tables"].items()}
            replies, committed = tuple(map(str, journal["replies"])), int(journal["committed"])
            journal = JournalContents(tables, replies, committed, str(journal["digest"]))
        (subject,) = statement["subject"]
        root = subject["digest"]["sha256"]
        if run_root(files, journal) != root:
            raise ValueError("its Merkle root is not that of its parts")
        kinds = {"tables": dict, "harness": dict, "n_replies": int, "sealed_at": str}
        if wrong := [name for name, kind in kinds.items() if type(predicate[name]) is not kind]:
            raise TypeError(f"{wrong[0]} is of another kind")
        len(manifest["runs"])
        return Sealed(predicate, text, manifest, files, journal, root)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RunDirError(
            where,
            f"a statement that cannot be read: {type(error).__name__}: {error}",
            "a file written by mirror-ray seal",
            "use the release that sealed it",
        ) from error


def compare_with_seal(sealed: Sealed, directory: Path) -> SealComparison:
    """Compare a run directory on this machine with its seal."""
    found = SealComparison()
    differing = [name for name in sealed.files if not _is_as_sealed(sealed, directory, name)]
    added = [name for name in covered_files(directory) if name not in sealed.files]
    has_grown = MANIFEST in differing and _has_grown(sealed, directory)
    new_shards = [name for name in added if name.partition("/")[0] in SHARD_FOLDERS]
    for name in differing:
        if not (directory / name).is_file():
            found.altered.append(f"{name} is missing")
        elif name == LOG and _begins_as_sealed(sealed, directory):
            found.later.append(f"{name} has new lines")
        elif _is_rewritten(name, has_grown=has_grown, has_shards=bool(new_shards)):
            found.later.append(f"{name} was rewritten")
        else:
            found.altered.append(f"{name} differs")
    if new_shards:
        found.later.append(f"{len(new_shards):,} new shards")
    for name in added:
        if name not in new_shards:
            into = found.later if has_grown or new_shards else found.altered
            into.append(f"{name} was added")
    if sealed.journal is not None:
        _compare_journal(sealed.journal, directory, found)
    elif (directory / JOURNAL_NAME).exists():
        found.later.append("a journal was added")
    return found


def _compare_journal(sealed: JournalContents, directory: Path, found: SealComparison) -> None:
    path = directory / JOURNAL_NAME
    log = path.with_name(f"{JOURNAL_NAME}-wal")
    is_folded = not (log.exists() and log.stat().st_size)
    if not path.exists():
        found.altered.append(f"{JOURNAL_NAME} is missing")
        return
    if is_folded and file_digest(path) == sealed.digest:
        return
    try:
        now = read_journal(directory)
    except (sqlite3.Error, MirrorRayError) as error:
        found.altered.append(f"{JOURNAL_NAME} is damaged: {error}")
        return
    noted = noted_commits(str(path))
    if now is None or not sealed.committed < now.committed == noted:
        found.altered.append(f"{JOURNAL_NAME} differs, with no transaction since")
        return
    missing = set(sealed.replies) - set(now.replies)
    if missing:
        try:
            missing -= _replies_in_shards(directory)
        except MirrorRayError as error:
            found.altered.append(str(error))
    if missing:
        found.altered.append(f"{len(missing):,} replies are in neither journal nor shards")
    changed = sorted(name for name, about in now.tables.items() if sealed.tables[name] != about)
    if changed:
        found.later.append(f"journal tables changed: {', '.join(changed)}")


def _replies_in_shards(directory: Path) -> set[str]:
    found: set[str] = set()
    for batch in sealed_batches(str(directory)):
        family = FAMILIES.get(batch.family)
        facts = family.fact_columns if family else ()
        for _, asks in batch.each():
            found |= {reply_hash(one) for one in entries_of(asks, facts)}
    return found


def _is_rewritten(name: str, *, has_grown: bool, has_shards: bool) -> bool:
    if name == LOG or name.partition("/")[0] in SHARD_FOLDERS:
        return False
    return has_grown or (has_shards and name != MANIFEST)


def _is_as_sealed(sealed: Sealed, directory: Path, name: str) -> bool:
    about, path = sealed.files[name], directory / name
    if not path.is_file() or path.stat().st_size != about["bytes"]:
        return False
    return bool(file_digest(path) == about["sha256"])


def _begins_as_sealed(sealed: Sealed, directory: Path) -> bool:
    about, path = sealed.files[LOG], directory / LOG
    is_longer = path.stat().st_size > about["bytes"]
    return bool(is_longer and file_digest(path, about["bytes"]) == about["sha256"])


def _has_grown(sealed: Sealed, directory: Path) -> bool:
    """Return whether the manifest is a later one of the same run: it has the sealed starts and
    more, or the journal has recorded a start that found nothing left to play."""
    try:
        now = without_digest(parse_json((directory / MANIFEST).read_text(encoding="utf-8")))
        before = sealed.manifest
        n_before = len(before["runs"])
        committed = sealed.journal.committed if sealed.journal else 0
        is_opened = noted_commits(str(directory / JOURNAL_NAME)) > committed
        is_same_sweep = now["sweep_sha"] == before["sweep_sha"]
        is_later = len(now["runs"]) > n_before or (is_same_sweep and is_opened)
        is_whole = now["sweep_sha"] == sweep_sha(now["sweep"])
        return bool(is_later and is_whole and now["runs"][:n_before] == before["runs"])
    except (ValueError, TypeError, KeyError, OSError, RecursionError):
        return False


def _leads_elsewhere(name: object) -> bool:
    parts = Path(str(name)).parts
    return not isinstance(name, str) or name.startswith("/") or ".." in parts or not parts
