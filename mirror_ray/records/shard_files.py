"""Finds a run's shards. A merged shard counts from the moment it exists; those that it replaces no
longer count, even if a kill has left them.

    part-000001-5f0c9a3e.parquet                one batch
    part-000001-to-000500-9b1d2c4e.parquet      a merged shard; its metadata names those it replaces
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

import pyarrow as pa
from pyarrow import fs as pafs

from mirror_ray.records.checked_parquet import refuse_altered
from mirror_ray.records.shard_checks import damaged
from mirror_ray.records.storage import files_below

STEPS_FOLDER, EPISODES_FOLDER = "steps", "episodes"
SUFFIX = ".parquet"
REPLACED_KEY = "mirror_ray.replaces"
"""The metadata of a merged shard that names the replaced ones, one per line."""

_PART = re.compile(r"part-([0-9]{1,12})(?:-to-([0-9]{1,12}))?(?:-[0-9a-f]{1,64})?\.parquet")


def shard_files(fs: pafs.FileSystem, folder: str) -> list[str]:
    """Return the paths of the shards below a folder, sorted. Raise OSError if the storage cannot be
    read, RunDirError if a merged shard is damaged."""
    return in_force(fs, files_below(fs, folder, SUFFIX))


def in_force(fs: pafs.FileSystem, paths: Iterable[str]) -> list[str]:
    """Leave out files that a merged shard among them replaces. Raise as `shard_files` does."""
    paths = list(paths)
    gone = {one for replaced in _replaced(fs, paths).values() for one in replaced}
    return [path for path in paths if path not in gone]


def remove_replaced(fs: pafs.FileSystem, root: str) -> None:
    """Delete shards of a run directory that complete merged ones replace. Raise as `shard_files`
    does."""
    kinds = (EPISODES_FOLDER, STEPS_FOLDER)
    files = {kind: list(files_below(fs, f"{root}/{kind}", SUFFIX)) for kind in kinds}
    below = {kind: {path.removeprefix(f"{root}/{kind}/") for path in files[kind]} for kind in kinds}
    # The episodes' files are the markers: steps without one are removed later.
    for kind in kinds:
        for merged, replaced in _replaced(fs, files[kind]).items():
            if all(merged.removeprefix(f"{root}/{kind}/") in names for names in below.values()):
                for path in replaced:
                    fs.delete_file(path)


def part_numbers(name: str) -> tuple[int, int]:
    """Return the first and the last number of the batches in a shard, by its file's name; (0, 0)
    for files that this program has not named."""
    found = _PART.fullmatch(name)
    return (int(found[1]), int(found[2] or found[1])) if found else (0, 0)


def _replaced(fs: pafs.FileSystem, paths: Sequence[str]) -> dict[str, list[str]]:
    folders: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders[folder].add(name)
    return {
        f"{folder}/{merged}": [f"{folder}/{name}" for name in found]
        for folder, names in folders.items()
        for merged in _overlapping(names)
        if (found := _names_replaced_by(fs, f"{folder}/{merged}") & names - {merged})
    }


def _overlapping(names: Iterable[str]) -> list[str]:
    spans = sorted((*part_numbers(name), name) for name in names)
    found = []
    reached = 0
    for place, (first, last, name) in enumerate(spans):
        follows = place + 1 < len(spans) and spans[place + 1][0] <= last
        if first < last and (follows or first <= reached):
            found.append(name)
        reached = max(reached, last)
    return found


def _names_replaced_by(fs: pafs.FileSystem, path: str) -> set[str]:
    # Imported late, because it takes memory in every process that can name the Recorder.
    import pyarrow.parquet as pq  # noqa: PLC0415

    refuse_altered(fs, [path])
    try:
        stated = pq.read_metadata(path, filesystem=fs).metadata or {}
    except pa.ArrowException as error:
        raise damaged(path, str(error)) from error
    return set(stated.get(REPLACED_KEY.encode(), b"").decode(errors="replace").split("\n"))
