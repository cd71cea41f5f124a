"""The reference agents of MirrorQA. Each has one trait, so that every metric has a known signature.

They act only on text and pixels."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mirror_ray.agents.channel import indifferent
from mirror_ray.agents.prompt import Agent, Prompt
from mirror_ray.agents.sight import Blob, Sight, decode
from mirror_ray.families.mirrorqa.agents.text import SideQuestion, read_side_question, write_option
from sim_assets.colors import COLOR_NAMES

_SMALLEST = 8
_SHOE_LEVEL = 36
"""Brightness, out of 255, below which a pixel is a shoe; trousers are brighter."""


def viewer_frame(prompt: Prompt) -> str:
    """Take left for the picture's left: on which side of the wearer's body the mark is.

    For a raised hand the agent uses the side to which the sleeve rises; for a raised leg, that of
    the higher shoe; otherwise it guesses. A dog's lower legs in the picture count as its front
    legs."""
    asked = read_side_question(prompt.user)
    limb = _limb(asked, decode(prompt.images[-1])) if prompt.images else None
    if limb is None:
        return write_option(asked, _any(asked, prompt), "I cannot make the limb out.")
    right_px, below_px = limb
    side = "right" if right_px > 0 else "left"
    end = " front" if below_px > 0 else " rear"
    option = side + (end if len(asked.options) > 2 else "")
    return write_option(asked, option, f"It is on the {side} of the picture.")


def first_option(prompt: Prompt) -> str:
    """Always take the first option."""
    asked = read_side_question(prompt.user)
    return write_option(asked, asked.options[0], "The first one is as good as any.")


def coin(prompt: Prompt) -> str:
    """Take a random option."""
    asked = read_side_question(prompt.user)
    return write_option(asked, _any(asked, prompt), "I toss a coin.")


def _any(asked: SideQuestion, prompt: Prompt) -> str:
    return asked.options[int(prompt.rng.integers(len(asked.options)))]


def _limb(asked: SideQuestion, sight: Sight) -> tuple[float, float] | None:
    """Return the limb's offset right of its owner's middle and below the picture's middle, in
    pixels."""
    if asked.color is None:
        return None
    blobs = sight.blobs(_SMALLEST)
    if asked.worn_color is not None:
        return _worn(asked.color, asked.worn_color, blobs, sight)
    shirts = [] if asked.is_dog else _of(asked.color, blobs)
    if not shirts:
        return None
    find = _sleeve if "hand" in asked.question else _shoe
    return find(shirts[0], sight)


def _worn(
    color: str, worn_color: str, blobs: list[Blob], sight: Sight
) -> tuple[float, float] | None:
    marks = _of(worn_color, blobs)
    if not marks:
        return None
    bodies = _of(color, blobs)
    # Blobs come largest first; a coat that blends into the walls counts as being in the middle.
    body_px = _middle(bodies[0]) if bodies else sight.width_px / 2
    mark = min(marks, key=lambda blob: abs(_middle(blob) - body_px))
    return _middle(mark) - body_px, (mark.top + mark.bottom - sight.height_px) / 2


def _sleeve(shirt: Blob, sight: Sight) -> tuple[float, float] | None:
    rows, columns = _pixels(shirt.top, shirt.bottom, shirt.left, shirt.right)
    of_shirt = sight.labels(rows, columns) == shirt.label
    rows, columns = rows[of_shirt], columns[of_shirt]
    highest = columns[rows <= np.quantile(rows, 0.02)]
    return float(highest.mean() - np.median(columns)), 0.0


def _shoe(shirt: Blob, sight: Sight) -> tuple[float, float] | None:
    """Return the place of a raised leg's shoe: the higher of the black things below the shirt."""
    tall = shirt.bottom - shirt.top
    bottom = min(sight.height_px, shirt.bottom + 2 * tall)
    left, right = max(0, shirt.left - tall // 2), min(sight.width_px, shirt.right + tall // 2)
    rows, columns = _pixels(shirt.bottom, bottom, left, right)
    dark = sight.rgb[rows, columns].max(axis=1) < _SHOE_LEVEL
    if dark.sum() < _SMALLEST:
        return None
    rows, columns = rows[dark], columns[dark]
    highest = columns[rows <= np.quantile(rows, 0.2)]
    return float(highest.mean()) - _middle(shirt), 0.0


def _pixels(
    top: int, bottom: int, left: int, right: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = np.mgrid[top:bottom, left:right]
    return rows.ravel(), columns.ravel()


def _of(color: str, blobs: list[Blob]) -> list[Blob]:
    return [blob for blob in blobs if COLOR_NAMES[blob.label] == color]


def _middle(blob: Blob) -> float:
    return (blob.left + blob.right) / 2


AGENTS: Mapping[str, Agent] = {
    "viewer-frame": indifferent(viewer_frame),
    "first-option": indifferent(first_option),
    "coin": indifferent(coin),
}
"""The agents by name."""
