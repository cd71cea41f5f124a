"""Which levels and how many generated questions a stage may ask for."""

from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell
from mirror_ray.families.metacog.conditions import CONDITIONS
from mirror_ray.families.metacog.items import most_seeds
from mirror_ray.families.metacog.settings import IN_TURN


def experiment_of(cell: Cell) -> str:
    """Return the experiment of a cell's condition."""
    return CONDITIONS[cell.condition].experiment


def level_of(cell: Cell) -> str:
    """Return the value of a cell's axis ``level``."""
    return str(dict(cell.axes).get("level", IN_TURN))


def require_levels(cell: Cell, shape: Shape, path: str) -> None:
    """Refuse levels and staircases unless the bank is the generated one."""
    if level_of(cell) == IN_TURN and cell.condition != "staircase":
        return
    key = "conditions" if cell.condition == "staircase" else "level"
    got = cell.condition if cell.condition == "staircase" else level_of(cell)
    if path:
        raise SweepError(
            f"{shape.where}.{key}",
            got,
            "no published bank, since those have no levels of difficulty",
            f"remove bank, or remove {key}",
        )


def require_questions(cell: Cell, shape: Shape) -> None:
    """Refuse seeds beyond which generated questions would repeat."""
    most = most_seeds(cell, experiment_of(cell))
    beyond = [seed for seed in (shape.seeds[-1:] if isinstance(shape.seeds, range) else shape.seeds)
              if seed >= most]  # fmt: skip
    if beyond:
        raise SweepError(
            f"{shape.where}.seeds",
            str(beyond[0]),
            f"numbers below {most}: beyond them generated items of {cell.condition} would repeat",
            f"seeds: {most}",
        )
