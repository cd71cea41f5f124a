"""Read the files in which a family states its data: `family.yaml`, `columns.yaml` and
`metrics.yaml`.

`family.yaml` has the conditions, variants, axes and options, and may have `only_in`. A condition is
a sentence, or the fields of the family's class, among them `meaning`. An axis has the fields of
`Axis`; `like` names an axis of `axes.yaml`, which several families share, to start from."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from mirror_ray.contract.columns import columns_of
from mirror_ray.contract.family import Axis
from mirror_ray.contract.metrics import metrics_of
from mirror_ray.contract.packages import family_yaml
from mirror_ray.core.identity import Cell, Scalar
from mirror_ray.core.shipped_files import shipped_yaml

_Condition = TypeVar("_Condition")


def family_files(family: str) -> dict[str, Any]:
    """Return the fields of `Family` that files of the family's folder state."""
    said, columns = _said(family), columns_of(family)
    only_in = {name: tuple(those) for name, those in said.get("only_in", {}).items()}
    return {
        "name": family,
        "conditions": {
            name: one if isinstance(one, str) else one["meaning"]
            for name, one in said["conditions"].items()
        },
        "variants": said["variants"],
        "axes": axes_of(family),
        "options": axes_of(family, "options"),
        **({"only_in": only_in} if only_in else {}),
        "step_columns": columns.steps,
        "episode_columns": columns.episodes,
        "fact_columns": columns.facts,
        "metrics": metrics_of(family),
    }


def conditions_of(family: str, make: Callable[..., _Condition]) -> dict[str, _Condition]:
    """Return a family's conditions, each made of its fields."""
    return {name: make(**fields) for name, fields in _said(family)["conditions"].items()}


@cache
def axes_of(family: str, key: str = "axes") -> Mapping[str, Axis]:
    """Return a family's axes, or its options if `key` is ``options``."""
    return {name: _axis(**fields) for name, fields in _said(family).get(key, {}).items()}


def axis_value(cell: Cell, name: str) -> Scalar:
    """Return the value of an axis in a cell, or the default if the cell does not set it."""
    return dict(cell.axes).get(name, axes_of(cell.family)[name].default)


def _axis(*, like: str = "", **fields: Any) -> Axis:
    fields = {**_said_of_all()[like], **fields} if like else fields
    if "choices" in fields:
        fields["choices"] = tuple(fields["choices"])
    return Axis(**fields)


@cache
def _said(family: str) -> Mapping[str, Any]:
    return family_yaml(family, "family.yaml")


@cache
def _said_of_all() -> Mapping[str, Any]:
    axes: Mapping[str, Any] = shipped_yaml("mirror_ray.contract", "axes.yaml")
    return axes
