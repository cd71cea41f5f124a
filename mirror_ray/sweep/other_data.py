"""Detect recorded episodes that were made from other data files than the plan reads now."""

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RunDirError
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.sweep.plan import Plan, Stage


def refuse_other_data(plan: Plan) -> None:
    """Refuse a plan whose data files differ from those of the recorded episodes.

    The contents of data files identify an episode, so a recorded episode that is no longer
    planned had other data. Both in one run would count as one sample. Scenes that a partial plan
    leaves out are not checked.

    Raises:
        RunDirError: sealed episodes had other data.
    """
    stage_of = _read_files(plan)
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
        keys = [f"{others[0].shape.where}.{name}" for name in _files_of(others[0])]
        raise RunDirError(
            plan.sweep.out,
            f"{len(others):,} recorded episodes that are not in"
            f" {', '.join(_files_of(others[0]).values())} ({', '.join(keys)}) as it is now",
            "the data files that this run was started with, in any folder",
            "restore the former files, or use another --out for other data",
        )


def _read_files(plan: Plan) -> dict[str, Stage]:
    """Return cell id → its stage, for cells whose episodes are listed from files and known."""
    waiting = {cell for stage in plan.stages[plan.begun :] for cell in stage.cells}
    return {
        cell.cell_id: stage
        for stage in plan.stages[: plan.begun]
        if _files_of(stage)
        for cell in stage.cells
        if cell not in waiting
    }


def _files_of(stage: Stage) -> dict[str, str]:
    options = FAMILIES[stage.family].options
    given = {name: str(value) for name, value in stage.shape.options.items() if value}
    return {name: path for name, path in given.items() if options[name].is_path}
