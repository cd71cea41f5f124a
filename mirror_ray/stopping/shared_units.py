"""Questions of a plan: cells that differ only in the model, and the order of their shared units.

The order is random and the same for every model. A unit's place depends only on its family and
name, so that further models, conditions or runs change no place."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec, content_hash


@dataclass(frozen=True, slots=True)
class StoppingQuestion:
    """A comparison of several models on the same units.

    Args:
        variant: the label of the cells, axes included.
        metric: the score that decides.
        models: in the plan's order.
        units: in the order of play.
        episodes: (model, unit) → its episodes, the repetitions.
    """

    family: str
    condition: str
    temperature: float | None
    variant: str
    metric: str
    models: tuple[str, ...]
    units: tuple[str, ...]
    episodes: Mapping[tuple[str, str], tuple[EpisodeSpec, ...]]

    def of(self, model: str, units: Iterable[str]) -> Iterator[EpisodeSpec]:
        """Return a model's episodes of these units."""
        for unit in units:
            yield from self.episodes.get((model, unit), ())

    def rounds(self, size: int) -> Iterator[tuple[str, ...]]:
        """Return the units in groups of a fixed size."""
        for start in range(0, len(self.units), size):
            yield self.units[start : start + size]


def questions_of(episodes: Iterable[EpisodeSpec]) -> tuple[StoppingQuestion, ...]:
    """Return the questions of families that have a score to decide by, in the plan's order."""
    parts: dict[tuple[str, str, float | None, str], dict[tuple[str, str], list[EpisodeSpec]]] = {}
    for spec in episodes:
        cell = spec.cell
        key = (cell.family, cell.condition, cell.temperature, cell.variant_label)
        scoring = FAMILIES[cell.family].scoring
        assert scoring is not None  # noqa: S101 - the sweep was found decidable
        unit = scoring.unit(spec)
        parts.setdefault(key, {}).setdefault((cell.model, unit), []).append(spec)
    return tuple(_question(key, by_unit) for key, by_unit in parts.items())


def _question(
    key: tuple[str, str, float | None, str], by_unit: Mapping[tuple[str, str], list[EpisodeSpec]]
) -> StoppingQuestion:
    family, condition, temperature, variant = key
    scoring = FAMILIES[family].scoring
    assert scoring is not None  # noqa: S101 - its episodes have units
    units = {unit for _, unit in by_unit}
    return StoppingQuestion(
        family,
        condition,
        temperature,
        variant,
        scoring.metric,
        models=tuple(dict.fromkeys(model for model, _ in by_unit)),
        units=tuple(sorted(units, key=lambda unit: content_hash("order of asking", family, unit))),
        episodes={place: tuple(specs) for place, specs in by_unit.items()},
    )
