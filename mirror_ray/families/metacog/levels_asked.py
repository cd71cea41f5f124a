"""Checks the levels and the number of generated questions that a stage requests."""

from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell
from mirror_ray.families.metacog.conditions import experiment_of
from mirror_ray.families.metacog.items import most_seeds
from mirror_ray.families.metacog.settings import IN_TURN, setting


def require_levels(cell: Cell, shape: Shape, path: str) -> None:
    """Refuse levels and staircases unless the bank is the generated one."""
    level, is_staircase = setting(cell, "level"), cell.condition == "staircase"
    if level == IN_TURN and not is_staircase:
        return
    key, got = ("conditions", cell.condition) if is_staircase else ("level", level)
    if path:
        raise SweepError(
            f"{shape.where}.{key}",
            got,
            "no published bank, since those have no levels of difficulty",
            f"remove bank, or remove {key}",
        )


def require_questions(cell: Cell, shape: Shape) -> None:
    """Refuse so many seeds that generated questions would repeat."""
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
