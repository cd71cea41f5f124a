"""Reads the latest takes of sealed episodes from their shards: as rows, or as requests."""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import PurePosixPath
from typing import Any, TypeAlias

import pyarrow as pa

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import content_hash
from mirror_ray.core.types import Ask, Attempt, Reply
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.arrow import escaped_surrogates
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.shard_checks import damaged, is_fault, sound
from mirror_ray.records.shard_files import EPISODES_FOLDER, STEPS_FOLDER, shard_files
from mirror_ray.records.shards.row_groups import ShardGroups
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.records.storage import storage_of
from mirror_ray.records.storage_fault import faults_reported, storage_fault

StoredRow: TypeAlias = Mapping[str, Any]

Schemas: TypeAlias = Mapping[str, tuple[pa.Schema, pa.Schema]]
"""Family → the columns of its steps and of its episodes."""

REPLY_COLUMNS = tuple(
    name
    for name in (field.name for field in fields(Reply))
    if name in STEPS.names and name != "failed_attempts"
)
"""Columns of a request that have the names and values of fields of `Reply`."""


@dataclass(frozen=True, slots=True)
class SealedBatch:
    """The latest takes in one shard: one row per episode, by episode_id, and the rows of their
    requests, by episode_id and ask."""

    family: str
    episodes: pa.Table
    steps: pa.Table

    def each(self) -> Iterator[tuple[StoredRow, tuple[StoredRow, ...]]]:
        """Yield every episode's row, and its requests' rows in order."""
        asks: dict[str, list[StoredRow]] = {}
        for row in self.steps.to_pylist():
            asks.setdefault(row["episode_id"], []).append(row)
        for episode in self.episodes.to_pylist():
            yield episode, tuple(asks.get(episode["episode_id"], ()))


def sealed_batches(
    out: str, wanted: Container[str] | None = None, *, schemas: Schemas | None = None
) -> Iterator[SealedBatch]:
    """Yield the latest takes in the shards of run directory `out`, shard by shard.

    Args:
        wanted: episode ids to read; None: all. A shard without any of them is skipped.
        schemas: of known families; None: rows of any family.

    Raises:
        RunDirError: a shard is damaged, of an unknown family, or its steps are missing.
    """
    takes = {episode_id: take for episode_id, (take, _) in finished_episodes(out).items()}
    with faults_reported(out, "the shards cannot be listed"):
        fs, root = storage_of(out)
        folder = f"{root}/{EPISODES_FOLDER}"
        paths = shard_files(fs, folder)
    for path in paths:
        part = path.removeprefix(f"{folder}/")
        of_steps, of_episodes = _columns(path, schemas)
        path_of_steps = f"{root}/{STEPS_FOLDER}/{part}"
        steps = None
        with ExitStack() as opened:
            with _shard_read(out, path):
                episodes = ShardGroups(opened, fs, path)
            for group in episodes.batches:
                with _shard_read(out, path):
                    rows = _sound(path, episodes.read(group), of_episodes)
                kept = _latest(rows, takes, wanted).sort_by("episode_id")
                if not kept.num_rows:
                    continue
                with _shard_read(out, path_of_steps):
                    steps = steps or ShardGroups(opened, fs, path_of_steps, episodes)
                    asked = _sound(path_of_steps, steps.read(group), of_steps)
                yield SealedBatch(
                    family=shard_family(path),
                    episodes=kept,
                    steps=_latest(asked, takes, wanted).sort_by(
                        [("episode_id", "ascending"), ("ask", "ascending")]
                    ),
                )


def sealed_episode(
    out: str, shard: str, episode_id: str, take: int, *, schemas: Schemas | None = None
) -> tuple[StoredRow, tuple[StoredRow, ...]]:
    """Return one take's episode row, and its requests' rows in order, from its `shard` (see
    `sealed_columns`). Raise RunDirError if that is damaged, of an unknown family, or lacks the
    take."""
    with faults_reported(out, "the shards cannot be read"):
        fs, root = storage_of(out)
    steps, episodes = (
        _rows(out, fs, f"{root}/{folder}/{shard}", columns, (episode_id, take))
        for folder, columns in zip(
            (STEPS_FOLDER, EPISODES_FOLDER), _columns(shard, schemas), strict=True
        )
    )
    if not episodes:
        raise RunDirError(
            f"{out}: {shard} has no take {take} of episode {episode_id}",
            fix="look again: the run may have changed meanwhile",
        )
    in_order = tuple(sorted(steps, key=lambda row: row["ask"]))
    numbers = [row["ask"] for row in in_order]
    if numbers != list(range(1, len(numbers) + 1)):
        raise damaged(f"{out}: {shard}", f"asks {numbers[:20]} of episode {episode_id}")
    return episodes[0], in_order


def entries_of(steps: Sequence[StoredRow], fact_columns: Sequence[str]) -> tuple[Entry, ...]:
    """Return the requests that step rows record, with the recorded replies and facts.

    Args:
        steps: an episode's rows in the order of its requests.
        fact_columns: the family's columns with a request's facts.
    """
    return tuple(
        Entry(
            episode_id=row["episode_id"],
            ask_index=row["ask"],
            prompt_sha=_words_sha(row["role"], row["step"], row["system"], row["user"]),
            frame_sha=row["frame_sha"],
            facts={name: row.get(name) for name in fact_columns},
            reply=_reply_of(row),
        )
        for row in steps
    )


def _reply_of(row: StoredRow) -> Reply:
    failed = tuple(Attempt(**attempt) for attempt in row.get("failed_attempts") or ())
    said = {name: row[name] for name in REPLY_COLUMNS}
    return Reply(text=row["reply"] or "", failed_attempts=failed, **said)


def kept_prompt_sha(ask: Ask) -> str:
    """Return the `Entry.prompt_sha` of this request as it would be read back from a row."""
    return _words_sha(ask.role, ask.step, ask.system, ask.user)


def _words_sha(role: str, step: int, system: str, user: str) -> str:
    return content_hash(role, step, escaped_surrogates(system), escaped_surrogates(user))


def _latest(table: pa.Table, takes: Mapping[str, int], wanted: Container[str] | None) -> pa.Table:
    ids, its_takes = table["episode_id"].to_pylist(), table["take"].to_pylist()
    mask = [
        takes.get(episode_id) == take and (wanted is None or episode_id in wanted)
        for episode_id, take in zip(ids, its_takes, strict=True)
    ]
    return table.filter(pa.array(mask, pa.bool_()))


def shard_family(shard: str) -> str:
    """Return the family of a shard's folder, to which all its rows belong."""
    return PurePosixPath(shard).parent.name.removeprefix("family=")


def _columns(shard: str, schemas: Schemas | None) -> tuple[pa.Schema, pa.Schema]:
    if schemas is None:
        return STEPS, EPISODES
    if shard_family(shard) not in schemas:
        raise RunDirError(
            shard,
            f"episodes of family {shard_family(shard)!r}",
            ", ".join(schemas),
            "use the release that played them",
        )
    return schemas[shard_family(shard)]


def _rows(
    out: str, fs: Any, path: str, expected: pa.Schema, taken: tuple[str, int]
) -> list[StoredRow]:
    with _shard_read(out, path), ExitStack() as opened:
        table = ShardGroups(opened, fs, path).with_episode(taken[0], expected)
    kept = [
        one == taken
        for one in zip(table["episode_id"].to_pylist(), table["take"].to_pylist(), strict=True)
    ]
    # Checking every column of a shard takes as long as reading it.
    rows = _sound(path, table.filter(pa.array(kept, pa.bool_())), expected)
    return list(rows.to_pylist())


@contextmanager
def _shard_read(out: str, path: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        if is_fault(error, out):
            raise storage_fault(out, error, f"{path} cannot be read") from error
        raise damaged(path, str(error)) from error


def _sound(path: str, table: pa.Table, expected: pa.Schema) -> pa.Table:
    table = sound(path, table, expected)
    if set(table["family"].to_pylist()) - {shard_family(path)}:
        raise damaged(path, "rows of another family than its folder's")
    return table
