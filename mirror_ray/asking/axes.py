"""A cell's values of its family's axes."""

from dataclasses import dataclass, fields
from typing import Any, Self, cast

from mirror_ray.contract.family import Structured
from mirror_ray.contract.family_files import axes_of, axis_value
from mirror_ray.core.identity import Cell
from mirror_ray.core.types import Encoding, Facts


@dataclass(frozen=True, slots=True)
class FrameSettings:
    """The axes' values in one episode of a family that shows frames."""

    width_px: int
    height_px: int
    encoding: Encoding

    @classmethod
    def of(cls, cell: Cell) -> Self:
        """Return the values in a cell, with defaults for axes that it does not set."""
        return cls(**axis_values(cell))

    @property
    def columns(self) -> Facts:
        """Return the episode's columns of these settings, each named after its axis."""
        names = [field.name for field in fields(self)]
        return {f"image_{one}" if one.endswith("_px") else one: getattr(self, one) for one in names}


def axis_values(cell: Cell) -> dict[str, Any]:
    """Return the value of every axis of the cell's family.

    `image` becomes the fields `width_px` and `height_px`."""
    values: dict[str, Any] = {name: axis_value(cell, name) for name in axes_of(cell.family)}
    # The family's settings do not depend on what replaces a picture.
    values.pop("picture", None)
    width, _, height = str(values.pop("image")).partition("x")
    return {**values, "width_px": int(width), "height_px": int(height)}


def structured_of(cell: Cell) -> Structured:
    """Return the format that the cell's replies are requested in."""
    return cast("Structured", axis_value(cell, "structured"))
