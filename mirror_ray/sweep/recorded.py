"""From a run directory back to its plan: which episode an id names.

Knows the sweep that the manifest keeps; reads shards only where stages follow from them.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from mirror_ray.errors import RunDirError
from mirror_ray.identity import EpisodeSpec
from mirror_ray.sweep.earlier import Shards
from mirror_ray.sweep.expand import expand_stages
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.stages import known_episodes


def recorded_episodes(out: str, manifest: Mapping[str, Any]) -> dict[str, EpisodeSpec]:
    """Episode id → episode, for all that the run in `out` was to play, in the order of its plan.

    Of stages that follow from others, those episodes that do so by now.

    Raises:
        RunDirError: the manifest holds a sweep that today's program cannot read.
        SweepError: it names a family, condition or axis that there is no more.
    """
    try:
        keys = SweepKeys.model_validate(manifest["sweep"])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RunDirError(
            f"{out}\n"
            f"  got:     a manifest whose sweep has {'.'.join(map(str, first['loc']))}: "
            f"{first['msg']}\n"
            f"  allowed: a sweep that this release reads\n"
            f"  fix:     use the release that began the run"
        ) from error
    stages = expand_stages(keys.stages, keys.models, out)
    # For looking up, not for playing: whatever a reading of the rows makes known.
    episodes = known_episodes(
        stages, lambda family, planned: Shards(out, family, planned, refuses=False)
    )
    return {spec.episode_id: spec for spec in episodes}
