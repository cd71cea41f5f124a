"""Axes that several families share, and a cell's values of a family's axes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, cast, get_args

from mirror_ray.contract.family import Axis, Structured
from mirror_ray.core.identity import Cell
from mirror_ray.core.types import Encoding, Facts

ENCODING = Axis("png", "how a frame is encoded for the model", choices=("png", "jpeg"))
STRUCTURED = Axis(
    "none", "the form of replies that the provider enforces", choices=get_args(Structured)
)


def history_axis(default: int, *others: int) -> Axis:
    """Make the axis of how much the prompt recalls."""
    choices = tuple(sorted((default, *others)))
    return Axis(default, "how many earlier steps the prompt recalls", choices=choices)


def image_axis(small: str, default: str, large: str) -> Axis:
    """Make the axis of a frame's size."""
    return Axis(default, "the frame's width and height in pixels", choices=(small, default, large))


@dataclass(frozen=True, slots=True)
class FrameSettings:
    """The axes' values in one episode of a family that shows frames."""

    width_px: int
    height_px: int
    encoding: Encoding

    @property
    def columns(self) -> Facts:
        """Return the episode's columns of these settings, each named as its axis."""
        names = [field.name for field in fields(self)]
        return {f"image_{one}" if one.endswith("_px") else one: getattr(self, one) for one in names}


def axis_values(axes: Mapping[str, Axis], cell: Cell) -> dict[str, Any]:
    """Return the value of every axis in a cell, or the default if the cell does not set it.

    `image` becomes the fields `width_px` and `height_px`.
    """
    values: dict[str, Any] = {name: axis.default for name, axis in axes.items()}
    values |= {name: value for name, value in cell.axes if name in axes}
    # The family's settings do not depend on what is sent in place of a picture.
    values.pop("picture", None)
    width, _, height = str(values.pop("image")).partition("x")
    return {**values, "width_px": int(width), "height_px": int(height)}


def structured_of(cell: Cell) -> Structured:
    """Return the format that the cell's replies are requested in."""
    return cast("Structured", dict(cell.axes).get("structured", STRUCTURED.default))
