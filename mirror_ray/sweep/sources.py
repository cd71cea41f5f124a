"""Refuses stages whose episodes depend on missing ones, before anything is paid for."""

from collections.abc import Sequence

from mirror_ray.contract.family import Family
from mirror_ray.contract.listing import SUBJECT, Shape
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell
from mirror_ray.sweep.file import StageKeys
from mirror_ray.sweep.plan import Stage

_MOST_TOLD = 6


def has_what_it_reads(
    family: Family, cells: Sequence[Cell], before: Sequence[Stage], where: str
) -> None:
    """Refuse a condition whose episodes depend on others that no earlier stage has."""
    there = {cell.condition for one in before if one.family == family.name for cell in one.cells}
    conditions = list(dict.fromkeys(cell.condition for cell in cells))
    for cell in cells:
        listing = family.listing_of(cell)
        if listing is None or not listing.after:
            continue
        found = [name in there for name in listing.after]
        if not any(found) or (listing.after_each and not all(found)):
            names = (" and " if listing.after_each else " or ").join(listing.after)
            missing = listing.after[found.index(False)]
            raise SweepError(
                f"{where}.conditions.{conditions.index(cell.condition)}",
                repr(cell.condition),
                f"after a stage of {family.name} with {names}, from whose replies it follows",
                f"put a stage with conditions: [{missing}] before this one",
            )


def has_what_its_options_need(
    family: Family, shape: Shape, stage: StageKeys, before: Sequence[Stage]
) -> None:
    """Refuse an option's value that needs a missing stage."""
    there = {cell.condition for one in before if one.family == family.name for cell in one.cells}
    for condition in stage.conditions:
        listing = family.listings.get(condition)
        for (name, value), needed in (listing.after_if if listing else {}).items():
            if shape.options.get(name) == value and needed not in there:
                raise SweepError(
                    f"{shape.where}.{name}",
                    repr(value),
                    f"after a stage of {family.name} with {needed}, from whose replies it follows",
                    f"put a stage with conditions: [{needed}] before this one",
                )


def judges_once(family: Family, cells: Sequence[Cell], before: Sequence[Stage], where: str) -> None:
    """Refuse a cell that reads replies which the same cell of an earlier stage has already read."""
    earlier = {cell for one in before for cell in one.cells}
    for cell in cells:
        listing = family.listings.get(cell.condition)
        if listing and listing.role != SUBJECT and cell in earlier:
            raise SweepError(
                f"{where}.conditions",
                f"{cell.condition} with {cell.model} a second time: the same replies again",
                "each reply read once by each model",
                "name what each stage reads (judged: exp1), or remove one of them",
            )


def require_sources(stages: Sequence[Stage]) -> None:
    """Raise SweepError for a cell that has nothing to depend on: an earlier stage has the
    condition, but not, for example, at the same temperature or in the same channel."""
    for number, stage in enumerate(stages):
        family = FAMILIES[stage.family]
        before = [
            cell for one in stages[:number] if one.family == stage.family for cell in one.cells
        ]
        for cell in stage.cells:
            listing = family.listing_of(cell)
            if listing is None or not listing.after:
                continue
            sources = [one for one in before if one.condition in listing.after]
            if not any(listing.feeds(one, cell) for one in sources):
                there = sorted({_told(one) for one in sources})
                raise SweepError(
                    stage.shape.where,
                    f"{_told(cell)}, which follows from none of {'; '.join(there[:_MOST_TOLD])}",
                    f"an earlier stage with {' or '.join(listing.after)} that it follows from",
                    "give both stages the same values, or name the earlier one's here",
                )


def _told(cell: Cell) -> str:
    at = "its provider's temperature" if cell.temperature is None else f"{cell.temperature:g}"
    axes = "".join(f", {name} {value}" for name, value in cell.axes)
    return f"{cell.condition} of {cell.model} at {at}{axes}"
