"""Which episodes of a run directory will no longer be played, for readers."""

from collections.abc import Mapping, Sequence
from typing import Any

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.records.decisions import read_decisions
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.stopping.rounds import settled_ids
from mirror_ray.stopping.shared_units import questions_of
from mirror_ray.sweep.decidable import until_of
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.plan import Until


def settled_in(out: str, until: Until | None, episodes: Sequence[EpisodeSpec]) -> frozenset[str]:
    """Return ids of the planned episodes that are settled and have no final end; none without a
    rule.

    Args:
        episodes: of the whole plan.

    Raises:
        RunDirError: the decisions or a shard cannot be read.
    """
    decisions = () if until is None else read_decisions(out)
    if until is None or not decisions:
        return frozenset()
    settled = frozenset[str]().union(
        *(settled_ids(one, until, decisions) for one in questions_of(episodes))
    )
    ended = {one for one, (_, kind) in finished_episodes(out).items() if kind in FINAL_KINDS}
    return settled - ended


def settled_of(
    out: str, manifest: Mapping[str, Any], episodes: Sequence[EpisodeSpec]
) -> frozenset[str]:
    """Do as `settled_in`, by the rule in the manifest of `out`.

    Raises:
        RunDirError: as `settled_in`; SweepError: the manifest's rule is invalid.
    """
    keys = SweepKeys.model_validate(manifest["sweep"])
    return settled_in(out, until_of(keys.until, out), episodes)
