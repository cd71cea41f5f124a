"""A floor of oak planks as an array of pixels, generated from a fixed seed.

It is computed, not a photograph, and has no licence.
"""

import numpy as np
from numpy.typing import NDArray

_OAK = np.array([0.73, 0.56, 0.39])
_PLANKS = 8
_SEED = 11


def planks(side_px: int) -> NDArray[np.uint8]:
    """Return (side_px, side_px, 3): boards along the rows' direction, grain, butt joints and seams.

    The picture repeats without a seam in both directions.
    """
    rng = np.random.default_rng(_SEED)
    wide_px = side_px // _PLANKS
    floor = np.empty((side_px, side_px, 3))
    for board in range(_PLANKS):
        rows = slice(board * wide_px, (board + 1) * wide_px)
        floor[rows] = _board(rng, wide_px, side_px)
    return np.rint(np.clip(floor, 0.0, 1.0) * 255).astype(np.uint8)


def _board(rng: np.random.Generator, wide_px: int, long_px: int) -> NDArray[np.float64]:
    along = np.arange(long_px) / long_px * 2 * np.pi
    across = np.linspace(0.0, 1.0, wide_px)[:, None]
    # Growth rings cut lengthwise: lines that wander a little, the same at both ends.
    wander = sum(
        rng.uniform(0.05, 0.16) / k * np.sin(k * along + rng.uniform(0, 2 * np.pi))
        for k in (1, 2, 3, 5)
    )
    rings = np.sin(2 * np.pi * rng.uniform(2.5, 4.5) * (across + wander) + rng.uniform(0, 6))
    fibres = _smooth(rng.standard_normal((wide_px, long_px)), long_px // 24)
    light: NDArray[np.float64] = 1.0 + 0.035 * rings + 0.045 * fibres + rng.uniform(-0.07, 0.07)
    warmth = rng.uniform(-0.02, 0.02)
    board: NDArray[np.float64] = _OAK * light[..., None] + np.array([warmth, 0.0, -warmth])
    board[:1] *= 0.62
    board[1:2] *= 0.86
    joint = int(rng.integers(long_px))
    board[:, joint : joint + 2] *= 0.68
    return board


def _smooth(noise: NDArray[np.float64], length_px: int) -> NDArray[np.float64]:
    kernel = np.zeros(noise.shape[1])
    kernel[:length_px] = 1.0 / length_px
    drawn = np.fft.irfft(np.fft.rfft(noise, axis=1) * np.fft.rfft(kernel), n=noise.shape[1], axis=1)
    smoothed: NDArray[np.float64] = drawn / drawn.std()
    return smoothed
