"""Compares a sweep's demands with what its models accept: temperatures, pictures, seeds, schemas.

Each cell is played up to its first request, which is not sent."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from mirror_ray.contract.family import Structured, first_ask
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.first_names import first_names
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.providers.model import Model
from mirror_ray.sweep.file import StageKeys
from mirror_ray.sweep.plan import DrawOn, Plan

_named = partial(first_names, most=3)
"""The first names, for a message; the manifest has all names."""


def check_cell_budget(per_cell_usd: float | None, models: Mapping[str, Model], source: str) -> None:
    """Refuse budgets per cell for models that cost GPU hours, which all cells share. Raise
    SweepError if a cell's budget would leave out most of its cost."""
    by_the_hour = [
        name
        for name, model in models.items()
        if model.serve is not None and model.usd_per_gpu_hour is not None
    ]
    if per_cell_usd is None or not by_the_hour:
        return
    raise SweepError(
        f"{source}: budget_per_cell_usd",
        f"{per_cell_usd:g}, where {_named(by_the_hour)} cost GPU hours (usd_per_gpu_hour)",
        "budgets that can include GPU hours: a server answers all cells of its model at once, so"
        " its hours cannot be divided among cells",
        "use budget_per_model_usd or budget_usd, or leave usd_per_gpu_hour out of the catalogue",
    )


def check_demands(
    stages: Sequence[StageKeys],
    episodes: Sequence[EpisodeSpec],
    models: Mapping[str, Model],
    source: str,
) -> None:
    """Refuse cells that a model cannot play as specified.

    Raises:
        SweepError: several temperatures for a model that accepts none, so that the same cell would
            be paid for several times; pictures for a model that sees none; or a form of replies
            that is enforced for only some models.
    """
    first_of: dict[Cell, EpisodeSpec] = {}
    for spec in episodes:
        first_of.setdefault(spec.cell, spec)
    _check_temperatures(list(first_of), stages, models, source)
    _check_structures(list(first_of), stages, models, source)
    for cell, spec in first_of.items():
        sightless = [role for role, name in cell.models if not models[name].vision]
        blind = [role for role in sightless if role in _asked_with_pictures(spec)]
        if blind:
            name = cell.model_of(blind[0])
            raise SweepError(
                f"{source}: models",
                f"{name} in {cell.family} {cell.condition}, which shows pictures",
                "models that take pictures",
                "leave the model out; if it does see, say `vision: true` in a catalogue file",
            )


def drawn_on(plan: Plan) -> DrawOn:
    """Return what hosts render on. Unless the sweep sets it, GPUs are left to served models."""
    wanted = plan.sweep.engine.draw_on
    serves = any(model.serve and model.serve.gpus for model in plan.models.values())
    return "cpu" if serves and wanted == "auto" else wanted


def draws(plan: Plan) -> bool:
    """Return whether anything of the sweep shows pictures."""
    return any(FAMILIES[cell.family].draws for cell in plan.cells)


def withheld(plan: Plan) -> dict[str, list[str]]:
    """Return, for the manifest, the settings of each model that are specified but not sent, because
    it accepts none.

    A schema that is not sent is still described in the prompt."""
    found: dict[str, list[str]] = {}
    formed = {
        name for cell in plan.cells if structure_of(cell) != "none" for _, name in cell.models
    }
    asked: dict[str, set[float]] = {}
    for cell in plan.cells:
        if cell.temperature is not None:
            for _, name in cell.models:
                asked.setdefault(name, set()).add(cell.temperature)
    for name, model in plan.models.items():
        if model.is_offline:
            continue
        temperatures = sorted(asked.get(name, ()))
        kept = [] if model.sends_temperature else [f"temperature {t:g}" for t in temperatures]
        kept += [] if model.sends_schema or name not in formed else ["schema"]
        kept += [] if model.sends_seed else ["seed"]
        if kept:
            found[name] = kept
    return found


def withheld_in_words(plan: Plan) -> tuple[str, ...]:
    """Return readable lines on the same, one for each setting that is not sent to some model."""
    by_thing: dict[str, list[str]] = {}
    for name, things in withheld(plan).items():
        for thing in things:
            by_thing.setdefault(thing, []).append(name)
    return tuple(
        f"Not sent, as the catalogue says: {thing} to {_named(names)}."
        for thing, names in sorted(by_thing.items(), reverse=True)
    )


def structure_of(cell: Cell) -> Structured:
    """Return the response format requested in addition to the prompt; "none" requests none."""
    structured = FAMILIES[cell.family].structured
    return "none" if structured is None else structured(cell)


_FORMS: Mapping[Structured, str] = {
    "none": "no JSON schema and no JSON mode goes to any model",
    "json": "every model is held to JSON",
    "schema": "every model is held to a JSON schema",
    "schema_where_taken": "a JSON schema goes to the models that take one, and to no other",
}


def structures_in_words(plan: Plan) -> tuple[str, ...]:
    """Return a line for each form of replies that the sweep requests."""
    asked: dict[tuple[str, Structured], set[str]] = {}
    for cell in plan.cells:
        if FAMILIES[cell.family].structured is not None:
            asked.setdefault((cell.family, structure_of(cell)), set()).update(
                name for _, name in cell.models if not plan.models[name].is_offline
            )
    lines = []
    for (family, form), hosted in asked.items():
        if hosted:
            without = sorted(name for name in hosted if not plan.models[name].sends_schema)
            mixed = form == "schema_where_taken" and without
            named = _named(without)
            found = f": two protocols, as {named} take none" if mixed else ""
            lines.append(f"Replies of {family} (structured: {form}): {_FORMS[form]}{found}.")
    return tuple(lines)


def _check_temperatures(
    cells: Sequence[Cell], stages: Sequence[StageKeys], models: Mapping[str, Model], source: str
) -> None:
    seen: dict[Cell, Cell] = {}
    for cell in cells:
        if any(models[name].sends_temperature for _, name in cell.models):
            continue
        twin = seen.setdefault(replace(cell, temperature=None), cell)
        if twin is not cell:
            many = (i for i, stage in enumerate(stages) if len(stage.temperature) > 1)
            key = next((f"stages.{i}.temperature" for i in many), "stages")
            raise SweepError(
                f"{source}: {key}",
                f"{twin.temperature} and {cell.temperature} for {cell.model}, which takes no"
                " temperature (sends_temperature: false): the same cell twice",
                "one temperature for such a model; it is noted, and not sent",
                "give the model a separate stage or sweep with one temperature",
            )


def _check_structures(
    cells: Sequence[Cell], stages: Sequence[StageKeys], models: Mapping[str, Model], source: str
) -> None:
    for form in ("json", "schema"):
        hosted = {
            name
            for cell in cells
            if structure_of(cell) == form
            for _, name in cell.models
            if not models[name].is_offline
        }
        without = sorted(name for name in hosted if not models[name].sends_schema)
        if without:
            taken = sorted(hosted - set(without))
            named = (
                i for i, stage in enumerate(stages) if "structured" in (stage.model_extra or {})
            )
            key = next((f"stages.{i}.structured" for i in named), "stages")
            raise SweepError(
                f"{source}: {key}",
                f"{form}, which {_named(without)} cannot be sent (sends_schema: false)"
                + (f" and {_named(taken)} can: two protocols in one" if taken else ""),
                "none, which asks all models alike; or a form that every model takes",
                "use structured: none; or, to mix the two by name, structured: schema_where_taken;"
                " or leave these models out",
            )


def _asked_with_pictures(spec: EpisodeSpec) -> tuple[str, ...]:
    ask = first_ask(FAMILIES[spec.cell.family], spec)
    if not ask.views:
        return ()
    return tuple(role for role, _ in spec.cell.models) if spec.cell.beside else (ask.role,)
