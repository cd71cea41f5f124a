"""Finds the episode that an id of a run directory names, from the recorded plan.

The sweep is read from the manifest; shards are read only if stages depend on them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.bounded_files import MOST_DATA_BYTES, read_bounded
from mirror_ray.core.errors import RunDirError, SweepError, UnfitError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.sweep.continued import require_protocols
from mirror_ray.sweep.earlier import EarlierShards
from mirror_ray.sweep.expand import cells_of, expand_stages
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.names import data_files, hash_key
from mirror_ray.sweep.plan import Stage
from mirror_ray.sweep.plugged import require_installed
from mirror_ray.sweep.sharding import shard_of
from mirror_ray.sweep.stages import known_episodes


def recorded_episodes(out: str, manifest: Mapping[str, Any]) -> dict[str, EpisodeSpec]:
    """Return all episodes of the run in `out` by id, in the order of its plan.

    For stages that depend on others, these are the episodes known by now.

    Raises:
        RunDirError: the manifest contains a sweep that the current program cannot read.
        SweepError: it names a family, condition or axis that no longer exists.
    """
    # For lookups, not for playing: all episodes that any reading of the rows implies.
    stages = recorded_stages(out, manifest)
    given = manifest["sweep"]["stages"]
    folders = [
        folder
        for stage, keys in zip(stages, given, strict=True)
        for folder in _folders_of(stage, keys)
    ]
    with _nothing_quoted(out, folders):
        episodes = known_episodes(
            stages, lambda family, planned: EarlierShards(out, family, planned, refuses=False)
        )
    return {spec.episode_id: spec for spec in episodes}


def _folders_of(stage: Stage, keys: Mapping[str, Any]) -> list[str]:
    """Return the data folders of a stage; refuse a data file whose hash is not the run's.

    The manifest may be a stranger's, and name any file of this machine. So no part of a file is
    parsed, or quoted in an error, unless its hash is recorded.

    Args:
        keys: of the stage, as the manifest has them.

    Raises:
        RunDirError: a file is absent, or its hash differs or is not recorded.
    """
    where = stage.shape.where
    folders: list[str] = []
    for name, path in data_files(FAMILIES[stage.family], stage.shape.options).items():
        # A folder has no hash: each episode identifies its pictures by their hashes.
        if Path(path).is_dir():
            folders.append(path)
            continue
        try:
            found = sha256(read_bounded(path, MOST_DATA_BYTES)).hexdigest()
        except UnfitError as error:
            raise RunDirError(f"{where}.{name}", error.got, error.allowed, error.fix) from error
        if found != keys.get(hash_key(name)):
            raise RunDirError(
                f"{where}.{name}",
                f"{path}, which is not the file that this run read",
                f"a file with the SHA-256 of {hash_key(name)}",
                "restore the file that the run was started with",
            )
    return folders


def recorded_stages(out: str, manifest: Mapping[str, Any]) -> tuple[Stage, ...]:
    """Return the stages of the run in `out`. Raise RunDirError if this program cannot read the
    manifest's sweep, SweepError if it names a family, condition or axis that no longer exists."""
    keys = recorded_keys(out, manifest)
    require_installed(keys.plugins, out)
    shard = shard_of(keys.shard, keys.share, out)
    part = None if shard is None else (shard.number, shard.of)
    stages = expand_stages(keys.stages, keys.models, out, limit=keys.limit, shard=part)
    require_protocols(out, manifest, cells_of(stages))
    return stages


def recorded_keys(out: str, manifest: Mapping[str, Any]) -> SweepKeys:
    """Return the sweep of the run in `out`. Raise RunDirError if this program cannot read it."""
    try:
        return SweepKeys.model_validate(manifest["sweep"])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RunDirError(
            out,
            f"a manifest whose sweep has {'.'.join(map(str, first['loc']))}: {first['msg']}",
            "a sweep that this release reads",
            "use the release that began the run",
        ) from error


@contextmanager
def _nothing_quoted(out: str, folders: Sequence[str]) -> Iterator[None]:
    """Replace a SweepError about data folders, which may quote their files, by a RunDirError."""
    try:
        yield
    except SweepError:
        if not folders:
            raise
        raise RunDirError(
            out,
            f"a data folder that cannot be read as this run's: {', '.join(folders)}",
            "the folder that the run was started with",
            "put the folder back",
        ) from None
