"""The rows of the episodes of `play_to_the_end`, played in process and undisturbed."""

from pathlib import Path

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.records.shards.reader import sealed_batches
from support.agents_at_play import play_agents
from support.plans import plan_of, scripted
from support.play_to_the_end import AXES, CONDITIONS
from support.shard_rows import rows_of, same_words


def quiet_rows(out: Path, seeds: int) -> dict[str, list[dict]]:
    plan = plan_of(out, [scripted("blind")], conditions=CONDITIONS, seeds=seeds, axes=AXES)
    play_agents(FAMILIES["selfid"], plan.episodes, out, sweep=plan.sweep.name)
    return {kind: same_words(rows_of(out, kind)) for kind in ("steps", "episodes")}


def sealed_requests(out: str) -> set[tuple[str, int]]:
    """Episode and number of each request in a run's shards, if it has any yet."""
    batches = sealed_batches(out)
    return {(row["episode_id"], row["ask"]) for one in batches for row in one.steps.to_pylist()}
