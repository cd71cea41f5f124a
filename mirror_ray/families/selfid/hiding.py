"""Computes how much of the ego's reflection is hidden by boxes, from geometry alone.

A body is a flat silhouette of weighted points with a virtual image behind the mirror; boxes have
virtual images too. A point is hidden if the straight line from the eye to its image meets a box in
front of the mirror or a box's image behind it. Other bodies are ignored."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.room.camera import (
    EYE_FORWARD_M,
    EYE_HEIGHT_M,
    reflector_axes,
    reflector_centre,
)
from mirror_ray.world.room.scene import (
    REFLECTOR_CENTRE_Z_M,
    REFLECTOR_HEIGHT_M,
    REFLECTOR_WIDTH_M,
    Box,
    Wall,
)

# (sideways, height, percent of the area) of the humanoid from the front, measured in pixels over
# the walk cycle: legs, hips, trunk, shoulders, head.
SILHOUETTE: NDArray[np.float64] = np.array(
    [
        *((side, z, 3.5) for side in (-0.1, 0.1) for z in (0.05, 0.2, 0.35, 0.5, 0.65)),
        *((side, z, 3.3) for side in (-0.15, 0.0, 0.15) for z in (0.75, 0.85)),
        *((side, z, 3.8) for side in (-0.17, 0.0, 0.17) for z in (0.95, 1.1, 1.25)),
        *((side, 1.35, 2.0) for side in (-0.17, 0.0, 0.17)),
        (0.0, 1.5, 5.5),
    ]
)
WHOLLY_MIRRORED = 0.9


def hidden_shares(
    places: NDArray[np.float64], wall: Wall, boxes: Sequence[Box]
) -> NDArray[np.float64]:
    """Return the share of its reflection that the boxes hide from an ego that faces `wall`.

    Args:
        places: (n, 2), metres; the ego's positions.

    Returns:
        (n,), the hidden share of the reflection, 0–1. NaN where less than 90 % of the reflection
        would fit into the mirror's frame without boxes: the rest is cut off, not hidden.
    """
    along, _, inward = reflector_axes(wall).T[:, :2]
    offsets = places - np.array(reflector_centre(wall)[:2])
    depth, side = (offsets @ inward)[:, None], (offsets @ along)[:, None]
    sideways, height, weight = SILHOUETTE.T
    # Where lines of sight cross the mirror's plane.
    at = (depth - EYE_FORWARD_M) / (2 * depth - EYE_FORWARD_M)
    framed = (np.abs(side + at * sideways) <= REFLECTOR_WIDTH_M / 2) & (
        np.abs(EYE_HEIGHT_M + at * (height - EYE_HEIGHT_M) - REFLECTOR_CENTRE_Z_M)
        <= REFLECTOR_HEIGHT_M / 2
    )
    shares = np.full(len(places), np.nan)
    whole = framed @ weight >= WHOLLY_MIRRORED * weight.sum()
    framed, depth, side = framed[whole], depth[whole], side[whole]
    # Seen from above, the points lie on few lines, one for each sideways offset.
    sides, column = np.unique(sideways, return_inverse=True)
    eyes = np.stack(np.broadcast_arrays(depth - EYE_FORWARD_M, side), axis=-1)
    images = np.stack(np.broadcast_arrays(-depth, side + sides), axis=-1)
    hidden = np.zeros(framed.shape, dtype=bool)
    for box in boxes:
        centre = np.array([box.x_m, box.y_m]) - np.array(reflector_centre(wall)[:2])
        yaw = np.radians(box.yaw_deg)
        edge = np.array([np.cos(yaw), np.sin(yaw)])
        above, below = _between(EYE_HEIGHT_M, height, 0.0, box.height_m)
        for sign in (1.0, -1.0):
            enter, leave = _over(
                eyes,
                images,
                np.array([sign * (centre @ inward), centre @ along]),
                np.array([sign * (edge @ inward), edge @ along]),
                box,
            )
            hidden |= np.maximum(enter[:, column], above) <= np.minimum(leave[:, column], below)
    shares[whole] = (hidden & framed) @ weight / (framed @ weight)
    return shares


def _over(
    eyes: NDArray[np.float64],
    images: NDArray[np.float64],
    centre: NDArray[np.float64],
    edge: NDArray[np.float64],
    box: Box,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    frame = np.array([[edge[0], -edge[1]], [edge[1], edge[0]]])
    starts, ends = (eyes - centre) @ frame, (images - centre) @ frame
    across = _between(starts[..., 0], ends[..., 0], -box.width_m / 2, box.width_m / 2)
    ahead = _between(starts[..., 1], ends[..., 1], -box.depth_m / 2, box.depth_m / 2)
    return np.maximum(across[0], ahead[0]), np.minimum(across[1], ahead[1])


def _between(
    start: float | NDArray[np.float64], end: NDArray[np.float64], low: float, high: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the part, 0–1, of the line from `start` to `end` that is between two bounds.

    Without such a part, the first value is larger than the second."""
    run = end - start
    run = np.where(np.abs(run) < 1e-12, 1e-12, run)
    first, second = (low - start) / run, (high - start) / run
    return (np.maximum(0.0, np.minimum(first, second)), np.minimum(1.0, np.maximum(first, second)))
