"""What a sweep asks of its models against what they take: temperatures, pictures, seeds, schemas.

Knows cells and the catalogue's entries; plays no episode beyond its first ask and asks nobody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mirror_ray.errors import SweepError
from mirror_ray.identity import Cell, EpisodeSpec
from mirror_ray.providers.model import Model
from mirror_ray.sweep.file import StageKeys
from mirror_ray.sweep.plan import Plan
from mirror_ray.tasks import FAMILIES

_LISTED = 3
"""So many names are told to a person; the manifest has all."""


def check_demands(
    stages: Sequence[StageKeys],
    episodes: Sequence[EpisodeSpec],
    models: Mapping[str, Model],
    source: str,
) -> None:
    """Refuses cells that a model cannot play as asked.

    Raises:
        SweepError: several temperatures for a model that takes none: they would be one and the
            same cell, bought again and again; or pictures for a model that sees none.
    """
    first_of: dict[Cell, EpisodeSpec] = {}
    for spec in episodes:
        first_of.setdefault(spec.cell, spec)
    _check_temperatures(list(first_of), stages, models, source)
    for cell, spec in first_of.items():
        sightless = [role for role, name in cell.models if not models[name].vision]
        if sightless and _first_asked_with_pictures(spec) in sightless:
            raise SweepError(
                f"{source}: models",
                f"{cell.model} in {cell.family} {cell.condition}, which shows pictures",
                "models that take pictures",
                "leave the model out; if it does see, say `vision: true` in a catalogue file",
            )


def draws(plan: Plan) -> bool:
    """Whether anything of the sweep shows pictures."""
    return any(FAMILIES[cell.family].draws for cell in plan.cells)


def withheld(plan: Plan) -> dict[str, list[str]]:
    """Model → what is asked for but not sent, because the model takes none; for the manifest.

    A schema that is not sent is asked for in words all the same.
    """
    found: dict[str, list[str]] = {}
    asked = {
        (name, cell.temperature)
        for cell in plan.cells
        for _, name in cell.models
        if cell.temperature is not None
    }
    for name, model in plan.models.items():
        if model.backend == "scripted":
            continue
        temperatures = sorted(t for of_name, t in asked if of_name == name)
        kept = [] if model.sends_temperature else [f"temperature {t:g}" for t in temperatures]
        kept += [] if model.sends_schema else ["schema"]
        kept += [] if model.sends_seed else ["seed"]
        if kept:
            found[name] = kept
    return found


def withheld_in_words(plan: Plan) -> tuple[str, ...]:
    """The same for a person, a line for each thing that is withheld from any model."""
    by_thing: dict[str, list[str]] = {}
    for name, things in withheld(plan).items():
        for thing in things:
            by_thing.setdefault(thing, []).append(name)
    return tuple(
        f"Not sent, as the catalogue says: {thing} to {_listed(names)}."
        for thing, names in sorted(by_thing.items(), reverse=True)
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")


def _check_temperatures(
    cells: Sequence[Cell],
    stages: Sequence[StageKeys],
    models: Mapping[str, Model],
    source: str,
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
                "give the model a stage or a sweep of its own with one temperature",
            )


def _first_asked_with_pictures(spec: EpisodeSpec) -> str | None:
    """The role that the episode asks first, if it is shown pictures."""
    play = FAMILIES[spec.cell.family].play(spec, spec.rng())
    ask = next(play)
    play.close()
    return ask.role if ask.views else None
