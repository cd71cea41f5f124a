"""Chooses which of many models a figure shows, so that it fits two screens: those with the best
scores, those with the worst, and the outliers.

A model's score is the mean over its panels or columns of its distance above the median model there.
An outlier is far above the median in one place and far below it in another."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from mirror_ray.analysis.plots.names import short_names

MOST_MODELS = 30
"""Of more models, only some are shown."""

SCREENS_PX = 1_800
"""The height limit for a figure of more models: two screens."""

_LEGEND_PX, _LINE_PX = 100, 100
"""Heights of the legend with the note, and of the titles and axis of a line of panels."""

_ODD, _ROUNDING = 2.0, 1e-9
"""Outliers are models whose values spread this many times as far as the median model's."""

Values = Iterable[tuple[Hashable, float | None]]


@dataclass(frozen=True, slots=True)
class FewModels:
    """The models of a figure with their labels, in the rows' order: by name, or from best to worst
    if some are left out. `note` says which are left out and where to find them."""

    names: Mapping[str, str]
    note: str

    def of(self, rows: Sequence[dict[str, Any]], key: str = "model") -> list[dict[str, Any]]:
        """Return the rows of these models."""
        return [row for row in rows if row[key] in self.names]


def few_models(
    rows: Sequence[dict[str, Any]],
    values: Callable[[dict[str, Any]], Values],
    *,
    most: int = MOST_MODELS,
    key: str = "model",
    noun: str = "models",
) -> FewModels:
    """Return all models. Of more than `MOST_MODELS`, return `most`: a third from each end and a
    third outliers.

    Args:
        values: of a row: place → value.
        most: how many fit into the figure.
        key: the rows' model.
        noun: what the note calls them.
    """
    names = short_names(row[key] for row in rows)
    if len(names) <= MOST_MODELS:
        return FewModels(names, "")
    deviations = _deviations(rows, values, key)
    # Models without a value are not among the worst.
    scored = [one for one in names if deviations[one]] or list(names)
    by_score = sorted(scored, key=lambda one: (-fmean(deviations[one] or [0.0]), one))
    third = max(1, min(most, MOST_MODELS) // 3)
    ends = {*by_score[:third], *by_score[-third:]}
    spread = {one: max(all_) - min(all_) for one, all_ in deviations.items() if all_}
    usual = median(spread.values()) if spread else 0.0
    odd = sorted(
        (one for one in spread if spread[one] > _ODD * usual + _ROUNDING),
        key=lambda one: (-spread[one], one),
    )
    out = [one for one in odd if one not in ends][:third]
    shown = [one for one in by_score if one in ends or one in out]
    standing = f", and {len(out)} whose values differ most from place to place" if out else ""
    note = (
        f"{len(shown)} of {len(names):,} {noun}: the first and the last {third}{standing}. Others: "
        "mirror-ray report --models NAME…; all: this figure's SQL."
    )
    return FewModels({one: names[one] for one in shown}, note)


def room_for(n_panels: int, *, across: int, row_px: float) -> int:
    """Return how many rows a line of panels may have if all lines are to fit two screens."""
    lines = -(-max(n_panels, 1) // across)
    return max(3, int((SCREENS_PX - _LEGEND_PX - lines * _LINE_PX) / (lines * row_px)))


def _deviations(
    rows: Collection[dict[str, Any]], values: Callable[[dict[str, Any]], Values], key: str
) -> dict[str, list[float]]:
    """Return how far each model is above the median model, place by place."""
    by_place: defaultdict[Hashable, list[tuple[str, float]]] = defaultdict(list)
    found: dict[str, list[float]] = {row[key]: [] for row in rows}
    for row in rows:
        for place, value in values(row):
            if value is not None:
                by_place[place].append((row[key], value))
    for pairs in by_place.values():
        middle = median(value for _, value in pairs)
        for one, value in pairs:
            found[one].append(value - middle)
    return found
