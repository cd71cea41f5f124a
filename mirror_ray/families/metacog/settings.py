"""Values of metacog's axes."""

from mirror_ray.contract.family_files import axis_value
from mirror_ray.core.identity import Cell

IN_TURN, STAIRCASE = "in_turn", "staircase"


def setting(cell: Cell, name: str) -> str:
    """Return the value of an axis in a cell, or its default if the cell does not set it."""
    return str(axis_value(cell, name))
