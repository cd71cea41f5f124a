"""From a run directory back to its plan: which episode an id names.

The sweep is read from the manifest; shards are read only if stages follow from them.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from mirror_ray.errors import RunDirError
from mirror_ray.identity import EpisodeSpec
from mirror_ray.sweep.earlier import EarlierShards
from mirror_ray.sweep.editions import editions_in
from mirror_ray.sweep.expand import expand_stages
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.plan import Stage
from mirror_ray.sweep.plugged import require_installed
from mirror_ray.sweep.stages import known_episodes


def recorded_episodes(out: str, manifest: Mapping[str, Any]) -> dict[str, EpisodeSpec]:
    """Episode id → episode, for all episodes of the run in `out`, in the order of its plan.

    Of stages that follow from others, the episodes that follow by now.

    Raises:
        RunDirError: the manifest holds a sweep that the current program cannot read.
        SweepError: it names a family, condition or axis that no longer exists.
    """
    # For looking up, not for playing: whatever a reading of the rows makes known.
    episodes = known_episodes(
        recorded_stages(out, manifest),
        lambda family, planned: EarlierShards(out, family, planned, refuses=False),
    )
    return {spec.episode_id: spec for spec in episodes}


def recorded_stages(out: str, manifest: Mapping[str, Any]) -> tuple[Stage, ...]:
    """The stages of the run in `out`, under the editions that it began with.

    Raises:
        RunDirError: the manifest holds a sweep that the current program cannot read.
        SweepError: it names a family, condition or axis that no longer exists.
    """
    try:
        keys = SweepKeys.model_validate(manifest["sweep"])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RunDirError(
            out,
            f"a manifest whose sweep has {'.'.join(map(str, first['loc']))}: {first['msg']}",
            "a sweep that this release reads",
            "use the release that began the run",
        ) from error
    require_installed(keys.plugins, out)
    editions = editions_in(out, manifest)
    return expand_stages(keys.stages, keys.models, out, editions, limit=keys.limit)
