"""`load_plan` turns a sweep file and overrides into everything that `run` needs.

It finds sweep files and catalogues; it starts no process and makes no call."""

import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.bounded_files import MOST_DATA_BYTES, read_bounded
from mirror_ray.core.errors import RunDirError, SweepError, UnfitError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.records.storage import bucket_and_prefix, is_address
from mirror_ray.sweep.by_model import expand_by_model
from mirror_ray.sweep.commands import are_users_own
from mirror_ray.sweep.continued import manifest_of, recorded_first, require_protocols
from mirror_ray.sweep.decidable import require_decidable, until_of
from mirror_ray.sweep.demands import check_cell_budget, check_demands
from mirror_ray.sweep.expand import cells_of, expand_stages, weights_of
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.models import expand_models
from mirror_ray.sweep.names import check_names, data_files, hash_key
from mirror_ray.sweep.notify import kept_overrides, notify_of
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep
from mirror_ray.sweep.plugged import plugins_of, require_installed
from mirror_ray.sweep.problems import Problems
from mirror_ray.sweep.prompt_sets import with_prompt_sets
from mirror_ray.sweep.run_dir_path import require_run_dir_path
from mirror_ray.sweep.sharding import shard_of
from mirror_ray.sweep.shipped import find_sweep
from mirror_ray.sweep.source_file import SweepFile, read_sweep_file
from mirror_ray.sweep.sources import require_sources
from mirror_ray.sweep.stages import begun, require_listable, require_shardable
from mirror_ray.sweep.tiers import at_tiers, require_single_asks, tiers_of_stages


def load_plan(
    sweep: str,
    overrides: Sequence[str] = (),
    out: str | None = None,
    *,
    persons: Sequence[str] = (),
) -> Plan:
    """Read, validate and expand a sweep.

    Args:
        sweep: a path; a name such as ``sweeps/quickstart.yaml`` or ``quickstart`` without such a
            file is looked up among the sweeps shipped with the package.
        overrides: ``key=value`` dot-list over the file.
        out: run directory, instead of the file's.
        persons: ``human/<id>`` of further persons; those in the run directory play anyway.

    Raises:
        SweepError: the problem, before anything is started or paid for.
    """
    path = find_sweep(sweep)
    file = read_sweep_file(path, overrides)
    try:
        return _planned(file, path, overrides, out, persons)
    except SweepError as error:
        raise file.text.located(error) from error


def _planned(
    file: SweepFile, path: Path, overrides: Sequence[str], out: str | None, persons: Sequence[str]
) -> Plan:
    keys = _with_whole_paths(file.keys, path)
    require_installed(keys.plugins, str(path))
    shard = shard_of(keys.shard, keys.share, str(path))
    run_dir = keys.out if out is None else out
    require_run_dir_path(run_dir, f"{path}: out" if out is None else "command line: --out")
    if out is None and shard is not None and not run_dir.endswith(shard.suffix):
        run_dir += shard.suffix
    catalogues = [path.parent / name for name in keys.catalogue or ()]
    for catalogue_path in catalogues:
        if not catalogue_path.is_file():
            raise SweepError(
                f"{path}: catalogue",
                f"no file {catalogue_path.absolute()}",
                "the path of a catalogue, relative to the sweep file",
                "check the path; on the command line it is relative to the current folder",
            )
    catalogue = load_catalogue(*catalogues)
    problems = Problems()
    names: tuple[str, ...] = ()
    with problems.collected():
        names = expand_models(keys.models, catalogue, str(path))
    problems.found += check_names(keys.model_dump()["stages"], str(path))
    problems.raise_all()
    names = recorded_first(run_dir, (*names, *persons))
    part = None if shard is None else (shard.number, shard.of)
    stages = expand_stages(keys.stages, names, str(path), limit=keys.limit, shard=part)
    manifest = manifest_of(run_dir)
    if manifest is None:
        # A continued run keeps the stages that it began with.
        require_sources(stages)
    else:
        require_protocols(run_dir, manifest, cells_of(stages))
    asked = {name: stage for stage in stages for cell in stage.cells for _, name in cell.models}
    where_named = {name: stage.shape.where for name, stage in asked.items()}
    where_named |= dict.fromkeys(names, str(path))
    models = {name: catalogue.resolve(name, where=where_named[name]) for name in (*names, *asked)}
    stage_tiers = [stage.tier for stage in keys.stages]
    per_model_usd = expand_by_model(
        keys.budget_per_model_usd, tuple(models), f"{path}: budget_per_model_usd"
    )
    models = at_tiers(models, keys.tier, keys.fallback, str(path), of_stages=stage_tiers)
    if shard is not None:
        models = {name: shard.of_model(model) for name, model in models.items()}
        per_model_usd = {name: usd * shard.share for name, usd in per_model_usd.items()}
    own_usd = shard.of_usd if shard is not None else lambda usd: usd
    check_cell_budget(keys.budget_per_cell_usd, models, str(path))
    if shard is not None:
        require_shardable(stages, str(path), has_until=keys.until is not None)
    episodes, n_begun = begun(stages)
    require_listable(stages[n_begun:])
    check_demands(keys.stages, episodes, models, str(path))
    plugins = plugins_of(keys.plugins, stages, models, str(path))
    tiers = tiers_of_stages(stages, stage_tiers, models, str(path))
    require_single_asks(episodes, models, str(path), tiers)
    until = until_of(keys.until, str(path))
    if until is not None:
        require_decidable(until, stages, names, str(path))
    return Plan(
        sweep=Sweep(
            name=keys.name,
            source=str(path),
            overrides=kept_overrides(overrides),
            out=run_dir,
            budget_usd=own_usd(keys.budget_usd),
            budget_per_model_usd=per_model_usd,
            budget_per_cell_usd=own_usd(keys.budget_per_cell_usd),
            engine=EngineSettings(**keys.engine.model_dump()),
            notify=notify_of(
                **keys.notify.model_dump(), environ=os.environ, where=str(path), overrides=overrides
            ),
            until=until,
            budget_usd_max=own_usd(_budget_usd_max(keys, str(path))),
            replicate=_replicate(keys.journal.replicate, run_dir, str(path)),
            shard=shard,
            resolved=_resolved(keys, names, run_dir, plugins),
            applied=file.applied,
        ),
        cells=cells_of(stages),
        episodes=episodes,
        models=models,
        weights=weights_of(stages, keys.stages),
        tiers=tiers,
        stages=stages,
        begun=n_begun,
        catalogues_are_own=are_users_own(catalogues),
    )


def _budget_usd_max(keys: SweepKeys, where: str) -> float | None:
    most_usd = keys.control.budget_usd_max
    if most_usd is not None and (keys.budget_usd is None or most_usd < keys.budget_usd):
        raise SweepError(
            f"{where}: control.budget_usd_max",
            f"{most_usd:g}, and budget_usd: {keys.budget_usd}",
            "at least budget_usd, which it says how far to raise",
            "set budget_usd no higher, or leave control.budget_usd_max out",
        )
    return most_usd


def _replicate(place: str | None, out: str, where: str) -> str | None:
    if place is None:
        return None
    where = f"{where}: journal.replicate"
    try:
        is_s3 = place.startswith("s3://") and bool(bucket_and_prefix(place))
    except RunDirError as error:
        raise SweepError(where, error.got, "s3://bucket/prefix", error.fix) from error
    if not is_s3:
        raise SweepError(
            where, place, "s3://bucket/prefix", "name a folder in a store with the S3 API"
        )
    if not is_address(out):
        raise SweepError(
            where,
            f"{place}, and out: {out}, whose shards are lost with this machine's disk",
            "a run directory in an object store, which another head can reach",
            "out: s3://bucket/prefix, or --out s3://bucket/prefix",
        )
    return place


_PAID_OTHERWISE: dict[str, Any] = {
    "tier": True,
    "fallback": True,
    "stages": {"__all__": {"tier": True}},
}


def _resolved(
    keys: SweepKeys, names: Sequence[str], out: str, plugins: Mapping[str, str]
) -> dict[str, Any]:
    # A tier changes the price but not the requests, so a run may resume at another tier.
    plain = keys.model_dump(mode="json", exclude=_PAID_OTHERWISE | {"notify": True})
    resolved = {**plain, "models": list(names), "out": out, "plugins": dict(plugins)}
    if keys.shard is None:
        del resolved["shard"], resolved["share"]
    if keys.journal.replicate is None:
        del resolved["journal"]
    # Whether an interrupt cancels batches does not affect rows.
    del resolved["engine"]["cancel_batches"]
    return resolved


def _with_whole_paths(keys: SweepKeys, path: Path) -> SweepKeys:
    """Make paths among the options, which are relative to the sweep file, absolute.

    A path is accompanied by its file's hash, which identifies the sweep, so that the file may move.
    """
    stages = []
    for position, stage in enumerate(keys.stages):
        family = FAMILIES.get(stage.family)
        given = stage.model_extra or {}
        found: dict[str, Any] = {}
        if family is not None:
            found = with_prompt_sets(family.name, given, path.parent, f"{path}: stages.{position}")
            for name, value in data_files(family, given).items():
                where = f"{path}: stages.{position}.{name}"
                place = _whole(path.parent / value, where)
                found[name] = str(place)
                # A folder is identified by its pictures; the code that reads it reports a missing
                # one.
                if os.path.lexists(place) and not place.is_dir():
                    hashed = hash_key(name)
                    found[hashed] = _hash_of(place, given.get(hashed), where)
        stages.append(stage.model_copy(update=found))
    return keys.model_copy(update={"stages": stages})


def _whole(path: Path, where: str) -> Path:
    try:
        whole = path.resolve()
        # Names that are too long, and folders without permission.
        whole.is_dir()
    # Python raises RuntimeError for loops of links, ValueError for NUL.
    except (OSError, RuntimeError, ValueError) as error:
        raise SweepError(where, f"{path}: {error}", "a path", "correct the path") from error
    return whole


def _hash_of(file: Path, expected: object, where: str) -> str:
    try:
        found = sha256(read_bounded(file, MOST_DATA_BYTES)).hexdigest()
    except UnfitError as error:
        raise SweepError(where, f"{file}: {error.got}", error.allowed, error.fix) from error
    if expected not in (None, found):
        raise SweepError(
            hash_key(where),
            f"{file} with SHA-256 {found}",
            f"a file with {expected}",
            "give the file as it was; for another one remove this key, and use another --out",
        )
    return found
