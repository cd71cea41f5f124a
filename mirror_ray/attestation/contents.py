"""What a seal covers in a run directory on disk: its files by digest, the journal by its rows."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from mirror_ray.core.identity import content_hash
from mirror_ray.records.decisions import FOLDER as DECISIONS
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.journal.entry import Entry, WrittenEntry, read_entry
from mirror_ray.records.journal.journal_tables import CHECKED
from mirror_ray.records.journal.read_only import read_only_snapshot
from mirror_ray.records.rows.arrow import escaped_surrogates

SHARD_FOLDERS = ("steps", "episodes")
MANIFEST, LOG = "manifest.json", "run.log"
_FILES = (MANIFEST, "sweep.yaml", LOG, "views.sql")
_FOLDERS = (*SHARD_FOLDERS, "intervals", DECISIONS)
_READ_BYTES = 2**20


def leaf_hash(content: bytes) -> bytes:
    """Return the hash of one leaf."""
    return sha256(b"\0" + content).digest()


def merkle_root(leaves: Sequence[bytes]) -> str:
    """Return the root over hashed leaves in the given order, in hexadecimal."""
    level = list(leaves) or [sha256(b"").digest()]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        # An odd last node moves up unchanged, as in RFC 6962's tree, which splits at powers of two.
        odd = level[-1:] if len(level) % 2 else []
        level = [sha256(b"\1" + left + right).digest() for left, right in pairs] + odd
    return level[0].hex()


@dataclass(frozen=True, slots=True)
class JournalContents:
    """The journal's rows.

    Args:
        tables: table → its number of rows and the Merkle root over them.
        replies: hashes of the final replies to episodes that have not ended, sorted.
        committed: number of its transactions.
        digest: SHA-256 of the file, which may change although no row does.
    """

    tables: Mapping[str, tuple[int, str]]
    replies: tuple[str, ...]
    committed: int
    digest: str


def covered_files(directory: Path) -> list[str]:
    """Return the paths, below the run directory, of the files that a seal covers."""
    found = [name for name in _FILES if (directory / name).is_file()]
    for folder in _FOLDERS:
        below = (directory / folder).rglob("*.parquet")
        found += sorted(path.relative_to(directory).as_posix() for path in below)
    return found


def is_covered(name: str) -> bool:
    """Return whether an object below a run's address is a seal, or may be covered by one."""
    parts = PurePosixPath(name).parts
    if len(parts) < 2:
        return name in _FILES or (name.startswith("seal") and name.endswith(".json"))
    return parts[0] in _FOLDERS and name.endswith(".parquet") and ".." not in parts


def file_digest(path: Path, most_bytes: int | None = None) -> str:
    """Return the SHA-256 of a file, or of its first bytes."""
    digest, left = sha256(), most_bytes
    with path.open("rb") as file:
        while part := file.read(_READ_BYTES if left is None else min(left, _READ_BYTES)):
            digest.update(part)
            left = None if left is None else left - len(part)
    return digest.hexdigest()


def digests(directory: Path) -> dict[str, dict[str, Any]]:
    """Return the size and the digest of each covered file, by path."""
    return {
        name: {"bytes": (directory / name).stat().st_size, "sha256": file_digest(directory / name)}
        for name in covered_files(directory)
    }


def read_journal(home: Path) -> JournalContents | None:
    """Read the journal in `home`; return None if it is missing. Raise sqlite3.Error if it is
    damaged: a row does not match its checksum, or a table is not ours."""
    path = home / JOURNAL_NAME
    if not path.exists():
        return None
    with read_only_snapshot(home, CHECKED) as db:
        tables = {name: _rooted(db, name) for name in CHECKED}
        (committed,) = db.execute("select n from committed").fetchone()
        names = ", ".join(WrittenEntry._fields)
        rows = db.execute(f"select {names} from reply where final")  # noqa: S608 - our names
        replies = sorted(reply_hash(read_entry(WrittenEntry(*row))) for row in rows)
    return JournalContents(tables, tuple(replies), int(committed), file_digest(path))


def reply_hash(entry: Entry) -> str:
    """Return the hash of a recorded reply, equal in the journal and in a shard."""
    reply = {
        name: escaped_surrogates(value) if isinstance(value, str) else value
        for name, value in asdict(entry.reply).items()
        if name not in ("presumed_usd", "quota", "closed_scope", "retry_after_s")
    }
    return content_hash(entry.episode_id, entry.ask_index, entry.frame_sha, reply)


def run_root(files: Mapping[str, Mapping[str, Any]], journal: JournalContents | None) -> str:
    """Return the Merkle root over a run's files and its journal's rows."""
    return merkle_root([leaf_hash(one.encode()) for one in _leaves(files, journal)])


def _leaves(
    files: Mapping[str, Mapping[str, Any]], journal: JournalContents | None
) -> Iterator[str]:
    for name, about in sorted(files.items()):
        yield f"file {name} {about['bytes']} {about['sha256']}"
    if journal is not None:
        for table, (n_rows, root) in sorted(journal.tables.items()):
            yield f"journal {table} {n_rows} {root}"
        for reply in journal.replies:
            yield f"reply {reply}"


def _rooted(db: sqlite3.Connection, table: str) -> tuple[int, str]:
    rows = db.execute(f"select * from {table}").fetchall()  # noqa: S608 - one of CHECKED
    leaves = sorted(leaf_hash(ascii(row).encode()) for row in rows)
    return len(leaves), merkle_root(leaves)
