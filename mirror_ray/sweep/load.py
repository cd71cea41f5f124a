"""`load_plan`: from a sweep file and overrides to everything `run` needs.

Knows where sweep files and catalogues are found; starts nothing, asks nobody, costs nothing.
"""

from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from mirror_ray.errors import SweepError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.sweep.demands import check_demands
from mirror_ray.sweep.expand import (
    cells_of,
    expand_budgets,
    expand_models,
    expand_stages,
    hash_key,
    weights_of,
)
from mirror_ray.sweep.file import SweepKeys, blame_override, read_sweep_file
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep
from mirror_ray.sweep.stages import begun
from mirror_ray.tasks import FAMILIES


def load_plan(sweep: str, overrides: Sequence[str] = (), out: str | None = None) -> Plan:
    """Reads, validates and expands a sweep.

    Args:
        sweep: a path; a name such as ``sweeps/quickstart.yaml`` that does not exist here is
            looked up among the sweeps shipped with the package.
        overrides: ``key=value`` dot-list over the file.
        out: run directory, in place of the file's.

    Raises:
        SweepError: whatever is wrong with it, before anything is started or paid.
    """
    path = find_sweep(sweep)
    keys = _with_whole_paths(read_sweep_file(path, overrides), path)
    catalogue = load_catalogue(*(path.parent / name for name in keys.catalogue or ()))
    try:
        names = expand_models(keys.models, catalogue, str(path))
        per_model_usd = expand_budgets(keys.budget_per_model_usd, names, str(path))
        stages = expand_stages(keys.stages, names, str(path))
        episodes, n_begun = begun(stages)
        models = {name: catalogue.resolve(name, where=str(path)) for name in names}
        check_demands(keys.stages, episodes, models, str(path))
    except SweepError as error:
        raise blame_override(error, str(path), overrides) from error
    run_dir = out or keys.out
    return Plan(
        sweep=Sweep(
            name=keys.name,
            source=str(path),
            out=run_dir,
            budget_usd=keys.budget_usd,
            budget_per_model_usd=per_model_usd,
            budget_per_cell_usd=keys.budget_per_cell_usd,
            engine=EngineSettings(**keys.engine.model_dump()),
            resolved={**keys.model_dump(mode="json"), "models": list(names), "out": run_dir},
        ),
        cells=cells_of(stages),
        episodes=episodes,
        models=models,
        weights=weights_of(stages, keys.stages),
        stages=stages,
        begun=n_begun,
    )


def _with_whole_paths(keys: SweepKeys, path: Path) -> SweepKeys:
    """Paths among the options, which are relative to the sweep file, made absolute.

    Beside a file stands the hash of what it holds, which tells one sweep from another: the file
    itself may move.
    """
    stages = []
    for position, stage in enumerate(keys.stages):
        family = FAMILIES.get(stage.family)
        given = stage.model_extra or {}
        found: dict[str, str] = {}
        for name, option in (family.options if family else {}).items():
            value = given.get(name)
            if not option.is_path or not isinstance(value, str) or not value:
                continue
            place = (path.parent / value).resolve()
            found[name] = str(place)
            if place.is_file():
                where = f"{path}: stages.{position}.{hash_key(name)}"
                found[hash_key(name)] = _hash_of(place, given.get(hash_key(name)), where)
        stages.append(stage.model_copy(update=found))
    return keys.model_copy(update={"stages": stages})


def _hash_of(file: Path, expected: object, where: str) -> str:
    """SHA-256 of what a file holds; it must be the expected one, where one is expected."""
    try:
        found = sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise SweepError(where, str(error), "a readable file", "check its permissions") from error
    if expected not in (None, found):
        raise SweepError(
            where,
            f"{file} with SHA-256 {found}",
            f"a file with {expected}",
            "give the file as it was; for another one remove this key, and use another --out",
        )
    return found


def find_sweep(sweep: str) -> Path:
    """The sweep file's path: as given, else among the shipped ones.

    Raises:
        SweepError: neither exists; lists the shipped sweeps.
    """
    path = Path(sweep)
    if path.is_file():
        return path
    shipped = Path(str(files("sweeps")))
    relative = Path(*path.parts[1:]) if path.parts[:1] == ("sweeps",) else path
    candidate = (shipped / relative).resolve()
    if candidate.is_file() and candidate.is_relative_to(shipped.resolve()):
        return candidate
    known = sorted(
        f"sweeps/{found.relative_to(shipped)}"
        for found in shipped.rglob("*.yaml")
        if not found.name.endswith("models.yaml")
    )
    raise SweepError(
        "command line: SWEEP",
        repr(sweep),
        "a sweep file, or one that is shipped: " + ", ".join(known),
        "check the path",
    )
