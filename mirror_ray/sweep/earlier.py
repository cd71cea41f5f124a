"""The results of a sweep's earlier stages, for SQL: `contract.listing.Earlier` over shards. Also
detects recorded episodes that were made from other data files than the plan reads now.

Of each planned episode with a final end, one take counts."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from mirror_ray.contract.family import Family
from mirror_ray.contract.listing import Earlier
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.records.checked_parquet import checked_format, refuse_altered
from mirror_ray.records.sandboxed_duckdb import confine
from mirror_ray.records.schemas import EPISODES
from mirror_ray.records.shard_checks import damaged
from mirror_ray.records.shard_files import shard_files
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.records.storage import storage_of
from mirror_ray.sweep.names import data_files
from mirror_ray.sweep.plan import Plan, Stage
from mirror_ray.sweep.stages import go_on


class EarlierShards:
    """The sealed episodes of a run directory at the time of construction.

    Args:
        out: the run directory.
        family: the family whose rows are queried.
        planned: all episodes of earlier stages.
        refuses: whether `listed` may raise; otherwise it lists the episodes that depend on either
            reading.

    Raises:
        RunDirError: a shard is damaged.
    """

    def __init__(
        self, out: str, family: Family, planned: Sequence[EpisodeSpec], *, refuses: bool = True
    ) -> None:
        self._out, self._family, self._refuses = out, family, refuses
        self._first, self._latest, self._cell_of = _final_takes(out)
        self._before = {spec.episode_id: spec.cell.model for spec in planned}
        self._unfinished = Counter(
            model for one, model in self._before.items() if one not in self._latest
        )

    def unfinished(self, model: str) -> int:
        """See `mirror_ray.contract.listing.Earlier.unfinished`."""
        return self._unfinished[model]

    def listed(
        self, episodes_from: Callable[[Earlier], list[EpisodeSpec]], cell_ids: Container[str]
    ) -> list[EpisodeSpec]:
        """See `mirror_ray.sweep.stages.Record.listed`.

        Rescored rows decide which episodes follow. But if episodes that depend on the first reading
        have been played, the first reading still counts, so that paid replies are neither lost nor
        bought again.

        Raises:
            RunDirError: recorded episodes depend on neither reading.
        """
        recorded = {one for one, cell_id in self._cell_of.items() if cell_id in cell_ids}
        found: dict[str, EpisodeSpec] = {}
        for takes in self._readings():
            specs = episodes_from(_Rows(self._out, self._family, takes, self._unfinished))
            by_id = {spec.episode_id: spec for spec in specs}
            lost = recorded - by_id.keys()
            if not lost:
                return specs
            found |= by_id
        if not self._refuses:
            return list(found.values())
        got = f"recorded episodes of {self._family.name}, of which {len(lost):,}"
        if left := self._unfinished.total():
            raise RunDirError(
                self._out,
                f"{got} follow from episodes of which {left:,} have no final end yet",
                "an end of all episodes before them",
                "run the same command again",
            )
        raise RunDirError(
            self._out,
            f"{got} do not follow from the replies before them as these are read now",
            "replies read as they were when later stages were begun",
            "rescore with the release that played them, or name another --out to play and pay for"
            " all of them again",
        )

    def _readings(self) -> Iterator[dict[str, int]]:
        # First as the rows were last read, then as they were first read.
        latest = {one: take for one, take in self._latest.items() if one in self._before}
        yield latest
        first = {one: self._first[one] for one in latest}
        if first != latest:
            yield first


class _Rows:
    """One take of each earlier episode, as a `mirror_ray.contract.listing.Earlier`."""

    def __init__(
        self, out: str, family: Family, takes: Mapping[str, int], unfinished: Mapping[str, int]
    ) -> None:
        # Imported late: most plans have no stages that depend on others.
        import duckdb  # noqa: PLC0415

        self._out, self._family_name = out, family.name
        self._unfinished = unfinished
        self._errors = (OSError, duckdb.Error, pa.ArrowException)
        self._database = duckdb.connect()
        confine(self._database)
        self._database.register(
            "ended", pa.table({"episode_id": list(takes), "take": list(takes.values())}, _ENDED)
        )
        for kind, schema in zip(("steps", "episodes"), family.schemas, strict=True):
            self._database.register(f"all_{kind}", _stored(out, family.name, kind, schema))
            self._database.execute(
                f"create view {kind} as select stored.* "  # noqa: S608 - our own names
                f"from all_{kind} as stored semi join ended using (episode_id, take)"
            )

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        """See `contract.listing.Earlier.rows`. Raise RunDirError if a shard cannot be read."""
        try:
            cursor = self._database.execute(sql, parameters or None)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        except self._errors as error:
            raise damaged(f"{self._out}: the shards of {self._family_name}", str(error)) from error

    def unfinished(self, model: str) -> int:
        """See `mirror_ray.contract.listing.Earlier.unfinished`."""
        return self._unfinished.get(model, 0)


def with_stages_that_follow(plan: Plan) -> Plan:
    """Return the plan with every further stage whose preceding episodes have all ended."""
    while plan.begun < len(plan.stages):
        family = FAMILIES[plan.stages[plan.begun].family]
        shards = EarlierShards(plan.sweep.out, family, plan.episodes)
        if any(shards.unfinished(model) for model in plan.models):
            break
        plan = next_stages(plan)
    return plan


def next_stages(plan: Plan) -> Plan:
    """Apply `mirror_ray.sweep.stages.go_on` to the plan's own run directory."""
    return go_on(plan, lambda family, planned: EarlierShards(plan.sweep.out, family, planned))


_ENDED = pa.schema([EPISODES.field("episode_id"), EPISODES.field("take")])


def _final_takes(out: str) -> tuple[dict[str, int], dict[str, int], dict[str, str]]:
    table = sealed_columns(out, "episodes", ("episode_id", "take", "error_kind", "cell_id"))
    first: dict[str, int] = {}
    latest: dict[str, int] = {}
    cell_of: dict[str, str] = {}
    columns = (column.to_pylist() for column in table.columns)
    for episode_id, take, error_kind, cell_id in zip(*columns, strict=True):
        if error_kind in FINAL_KINDS:
            first[episode_id] = min(take, first.get(episode_id, take))
            latest[episode_id] = max(take, latest.get(episode_id, take))
            cell_of[episode_id] = cell_id
    return first, latest, cell_of


def _stored(out: str, family: str, kind: str, schema: pa.Schema) -> Any:
    # Imported late, as in `mirror_ray.records.shards.shard_index`.
    import pyarrow.dataset as pads  # noqa: PLC0415

    fs, root = storage_of(out)
    paths = shard_files(fs, f"{root}/{kind}/family={family}")
    if not paths:
        return schema.empty_table()
    refuse_altered(fs, paths)
    return pads.dataset(paths, schema, format=checked_format(), filesystem=fs)


def refuse_other_data(plan: Plan) -> None:
    """Refuse a plan whose data files differ from those of the recorded episodes.

    Data files identify episodes: a recorded episode that is no longer planned had other data, and
    old and new data would count as one sample. Scenes that a partial plan leaves out are not
    checked.

    Raises:
        RunDirError: sealed episodes had other data.
    """
    # Cells whose episodes are listed from files, and are known.
    waiting = {cell for stage in plan.stages[plan.begun :] for cell in stage.cells}
    stage_of = {
        cell.cell_id: stage
        for stage in plan.stages[: plan.begun]
        if _files_of(stage)
        for cell in stage.cells
        if cell not in waiting
    }
    if not stage_of:
        return
    ids = {spec.episode_id for spec in plan.episodes}
    scenes = {(spec.cell.cell_id, spec.scene_seed, spec.run) for spec in plan.episodes}
    columns = ("episode_id", "cell_id", "scene_seed", "run")
    sealed = sealed_columns(plan.sweep.out, "episodes", columns).to_pylist()
    others = [
        stage_of[row["cell_id"]]
        for row in sealed
        if row["cell_id"] in stage_of
        and row["episode_id"] not in ids
        and (not plan.is_part or (row["cell_id"], row["scene_seed"], row["run"]) in scenes)
    ]
    if others:
        files = _files_of(others[0])
        keys = [f"{others[0].shape.where}.{name}" for name in files]
        raise RunDirError(
            plan.sweep.out,
            f"{len(others):,} recorded episodes that are not in"
            f" {', '.join(files.values())} ({', '.join(keys)}) as it is now",
            "the data files that this run was started with, in any folder",
            "restore the former files, or use another --out for other data",
        )


def _files_of(stage: Stage) -> dict[str, str]:
    return data_files(FAMILIES[stage.family], stage.shape.options)
