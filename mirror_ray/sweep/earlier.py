"""What earlier stages of a sweep came to, for SQL: `mirror_ray.tasks.family.Earlier` over shards.

Knows where sealed rows lie and which of them count: of the plan's episodes with a final end the
latest take. Does not know what a family makes of them.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa

from mirror_ray.errors import RunDirError
from mirror_ray.records.resume import finished_episodes
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.records.storage import files_below, storage_of
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.stages import go_on
from mirror_ray.tasks import FAMILIES
from mirror_ray.tasks.family import Family
from mirror_ray.types import FINAL_KINDS, EpisodeSpec


class Shards:
    """The sealed episodes of a run directory, as they are when this is made.

    Args:
        out: the run directory.
        family: whose rows are asked for.
        planned: all episodes of the stages before.

    Raises:
        RunDirError: a shard is damaged.
    """

    def __init__(self, out: str, family: Family, planned: Sequence[EpisodeSpec]) -> None:
        self._out = out
        ids = {spec.episode_id: spec.cell.model for spec in planned}
        ended = {
            episode_id: take
            for episode_id, (take, kind) in finished_episodes(out).items()
            if kind in FINAL_KINDS and episode_id in ids
        }
        self._unfinished = Counter(model for one, model in ids.items() if one not in ended)
        self._database = duckdb.connect()
        self._database.register(
            "ended", pa.table({"episode_id": list(ended), "take": list(ended.values())}, _ENDED)
        )
        schemas = {
            "steps": with_family_columns(STEPS, family.step_columns),
            "episodes": with_family_columns(EPISODES, family.episode_columns),
        }
        for kind, schema in schemas.items():
            self._database.register(f"all_{kind}", _stored(out, family.name, kind, schema))
            self._database.execute(
                f"create view {kind} as select stored.* "  # noqa: S608 - our own names
                f"from all_{kind} as stored semi join ended using (episode_id, take)"
            )

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        """See `mirror_ray.tasks.family.Earlier.rows`.

        Raises:
            RunDirError: a shard cannot be read.
        """
        try:
            cursor = self._database.execute(sql, parameters or None)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        except (OSError, duckdb.IOException) as error:
            raise RunDirError(f"{self._out}: earlier stages cannot be read: {error}") from error

    def unfinished(self, model: str) -> int:
        """See `mirror_ray.tasks.family.Earlier.unfinished`."""
        return self._unfinished[model]


def with_stages_that_follow(plan: Plan) -> Plan:
    """The plan with its further stages, as long as all episodes before them have ended."""
    while plan.begun < len(plan.stages):
        family = FAMILIES[plan.stages[plan.begun].family]
        shards = Shards(plan.sweep.out, family, plan.episodes)
        if any(shards.unfinished(model) for model in plan.models):
            break
        plan = next_stages(plan)
    return plan


def next_stages(plan: Plan) -> Plan:
    """`mirror_ray.sweep.stages.go_on` over the plan's own run directory."""
    return go_on(plan, lambda family, planned: Shards(plan.sweep.out, family, planned))


_ENDED = pa.schema([EPISODES.field("episode_id"), EPISODES.field("take")])


def _stored(out: str, family: str, kind: str, schema: pa.Schema) -> Any:
    # Imported late, as in `mirror_ray.records.resume`.
    import pyarrow.dataset as pads  # noqa: PLC0415

    fs, root = storage_of(out)
    paths = list(files_below(fs, f"{root}/{kind}/family={family}", ".parquet"))
    if not paths:
        return schema.empty_table()
    return pads.dataset(paths, schema, format="parquet", filesystem=fs)
