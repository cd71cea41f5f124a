"""Which cells feed which, by number of sentences and by the temperature of each step.

[Our decision] A later stage may have its own temperature. It uses stories and revisions of that
same temperature, unless `story_temperature` or `revision_temperature` name others."""

from dataclasses import dataclass
from functools import lru_cache

from mirror_ray.contract.family_files import axis_value
from mirror_ray.core.identity import Cell
from mirror_ray.families.textmirror import conditions as named
from mirror_ray.families.textmirror.explanation import has_choices

_THE_SAME = -1.0


@dataclass(frozen=True, slots=True)
class Sources:
    """What a cell's episodes depend on: stories, and perhaps revisions, at these temperatures."""

    n_sentences: int
    story: float | None
    revision: float | None


@lru_cache(maxsize=4_096)
def sources_of(cell: Cell) -> Sources:
    """Return what this cell's episodes depend on; revisions are at their own temperature."""

    def at(name: str) -> float | None:
        said = axis_value(cell, name)
        return cell.temperature if said == _THE_SAME else float(said)

    n_sentences = int(axis_value(cell, "n_sentences"))
    return Sources(n_sentences, at("story_temperature"), at("revision_temperature"))


def feeds(earlier: Cell, cell: Cell) -> bool:
    """Return whether an earlier stage's cell has what this cell's episodes depend on."""
    if cell.condition == named.EXPLANATION:
        return has_choices(earlier, cell)
    its, own = sources_of(earlier), sources_of(cell)
    if earlier.condition == named.SEEDS:
        return earlier.temperature == cell.temperature
    if its.n_sentences != own.n_sentences:
        return False
    if earlier.condition == named.REVISION:
        return its.story == own.story and earlier.temperature == own.revision
    return earlier.temperature == own.story
