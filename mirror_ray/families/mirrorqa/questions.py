"""The question of an episode: its item, from public data or the simulation, and its examples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mirror_ray.contract.family import scene_of
from mirror_ray.core.identity import EpisodeSpec, seeded
from mirror_ray.core.types import Encoding
from mirror_ray.families.mirrorqa.item import TWO, Item
from mirror_ray.families.mirrorqa.settings import MAX_SHOTS, Settings
from mirror_ray.families.mirrorqa.sim import SimItem, sim_item
from mirror_ray.families.mirrorqa.sim_design import design
from mirror_ray.world.photo import FileView

TRAINING_RUN = -1
"""The examples of simulated items come from a sequence that is never used for questions."""
_TRAINING_ITEMS = 6_400


@dataclass(frozen=True, slots=True)
class MirrorQuestion:
    """An episode's item and the solved examples before it.

    Args:
        sim: the simulation's facts about the item; None for the public data.
        split, quirks, label: for the public data: the row's place, how leniently it had to be
            read, and its label, if it has one.
    """

    item: Item
    examples: tuple[Item, ...]
    sim: SimItem | None = None
    split: str | None = None
    quirks: tuple[str, ...] = ()
    label: str | None = None


def question_of(spec: EpisodeSpec, settings: Settings) -> MirrorQuestion:
    """Return the question of an episode, equal for every model, variant and shift of options."""
    if spec.cell.condition == "data":
        return _of_folder(spec, settings)
    reflected = spec.cell.condition == "sim-reflected"
    sim = _made(spec.scene_seed, spec.run, settings, reflected=reflected)
    rng = seeded("mirrorqa sim examples", spec.scene_seed, spec.run)
    drawn = rng.choice(_TRAINING_ITEMS, size=MAX_SHOTS, replace=False)[: settings.shots]
    examples = tuple(
        _made(int(index), TRAINING_RUN, settings, reflected=reflected).item for index in drawn
    )
    return MirrorQuestion(sim.item, examples, sim)


def option_count(spec: EpisodeSpec) -> int:
    """Return how many options the question has, which is known before anything is placed."""
    if spec.cell.condition == "data":
        return len(spec.given["options"])
    is_dog = design(spec.scene_seed, spec.run).kind == "dog"
    return Settings.of(spec.cell).dog_options if is_dog else len(TWO)


def _made(index: int, run: int, settings: Settings, *, reflected: bool) -> SimItem:
    return sim_item(
        index,
        run,
        reflected=reflected,
        width_px=settings.width_px,
        height_px=settings.height_px,
        encoding=settings.encoding,
        dog_options=settings.dog_options,
    )


def what_is_shown(spec: EpisodeSpec) -> str:
    """Return a name of the episode's picture; repetitions show a photograph again."""
    return str(spec.given.get("name") or f"{spec.scene_seed} {spec.run}")


def unit_of(spec: EpisodeSpec) -> str:
    """Return the independent unit: a picture, or a scene of the simulation."""
    return str(spec.given.get("name") or scene_of(spec))


def _of_folder(spec: EpisodeSpec, settings: Settings) -> MirrorQuestion:
    given = spec.given
    return MirrorQuestion(
        _given_item(given, spec.places, settings.encoding),
        tuple(_given_item(one, spec.places, settings.encoding) for one in given["examples"]),
        split=given["split"],
        quirks=tuple(given["quirks"]),
        label=given.get("label"),
    )


def _given_item(given: Mapping[str, Any], places: Mapping[str, str], encoding: Encoding) -> Item:
    name, picture = given["name"], given["picture"]
    view = None if picture is None else FileView(places[name], **picture, encoding=encoding)
    return Item(
        name=name,
        kind=given["kind"],
        question=given["question"],
        options=tuple(given["options"]),
        answer=given["answer"],
        view=view,
    )
