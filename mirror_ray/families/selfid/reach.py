"""Finds places that the ego can reach from its start.

Moves are steps of 0.5 m at headings of 30° between boxes; other bodies move and are not obstacles
here. The result is sound but not complete: every returned place can be reached in the room."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.room.scene import BODY_RADIUS_M, ROOM_SIDE_M, STEP_M, TURN_DEG, Box, Pose

_CELL_M = 0.25
_CELLS = round(ROOM_SIDE_M / _CELL_M) + 1
_SAMPLE_M = 0.1
# If a disc of this radius is free at samples 0.1 m apart, the body is free all along.
_CLEARANCE_M = sqrt(BODY_RADIUS_M**2 + (_SAMPLE_M / 2) ** 2) + 1e-6


def reachable_places(start: Pose, boxes: Sequence[Box]) -> NDArray[np.float64]:
    """Return (n, 2) metres: a place for each 0.25 m cell that steps and turns reach, the start
    first. Turning is free, so any heading is possible that differs from the start's by a multiple
    of 30°.

    Any heading that is a multiple of 30° from the start's is possible: turning is free."""
    headings = np.radians(start.yaw_deg + np.arange(0.0, 360.0, TURN_DEG))
    moves = STEP_M * np.stack([np.cos(headings), np.sin(headings)], axis=1)
    frontier = np.array([[start.x_m, start.y_m]])
    places = [frontier]
    seen = np.zeros(_CELLS**2, dtype=bool)
    seen[_cells(frontier)] = True
    while len(frontier):
        origins = np.repeat(frontier, len(moves), axis=0)
        targets = origins + np.tile(moves, (len(frontier), 1))
        # Most moves leave the room or lead to a cell already visited, so their paths need no check.
        new = np.abs(targets).max(axis=1) <= ROOM_SIDE_M / 2 - BODY_RADIUS_M
        new[new] = ~seen[_cells(targets[new])]
        origins, targets = origins[new], targets[new]
        targets = targets[_paths_are_free(origins, targets, boxes)]
        cells, first = np.unique(_cells(targets), return_index=True)
        seen[cells] = True
        frontier = targets[first]
        places.append(frontier)
    return np.concatenate(places)


def _cells(places: NDArray[np.float64]) -> NDArray[np.intp]:
    column, row = np.floor((places + ROOM_SIDE_M / 2) / _CELL_M + 0.5).astype(np.intp).T
    return np.asarray(column * _CELLS + row)


def _paths_are_free(
    origins: NDArray[np.float64], targets: NDArray[np.float64], boxes: Sequence[Box]
) -> NDArray[np.bool_]:
    """Return (n,) whether a body gets from each origin to its target without touching a box."""
    free = np.ones(len(targets), dtype=bool)
    if not boxes:
        return free
    centres = np.array([(box.x_m, box.y_m) for box in boxes])
    halves = np.array([(box.width_m, box.depth_m) for box in boxes]) / 2
    yaws = np.radians([box.yaw_deg for box in boxes])
    # Most boxes are too far from most paths to need an exact check.
    between = (origins + targets)[:, None, :] / 2 - centres
    within = np.array([box.half_diagonal_m for box in boxes]) + STEP_M / 2 + _CLEARANCE_M
    path, box = np.nonzero((between**2).sum(axis=2) < within**2)
    along = np.arange(0.0, STEP_M + _SAMPLE_M / 2, _SAMPLE_M) / STEP_M
    runs = along[None, :, None] * (targets - origins)[path][:, None, :]
    x_m, y_m = np.moveaxis(origins[path][:, None, :] + runs - centres[box][:, None, :], 2, 0)
    c, s = np.cos(yaws)[box, None], np.sin(yaws)[box, None]
    across = np.maximum(np.abs(c * x_m + s * y_m) - halves[box, :1], 0.0)
    ahead = np.maximum(np.abs(c * y_m - s * x_m) - halves[box, 1:], 0.0)
    free[path[np.hypot(across, ahead).min(axis=1) < _CLEARANCE_M]] = False
    return free
