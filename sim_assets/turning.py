"""Which characters are one another's shapes when a sheet is turned, in the typeface of
`sim_assets.lettering`.
"""

from collections.abc import Mapping

_PAIRS = ("69", "bq", "dp", "nu", "MW")

HALF_TURN: Mapping[str, str] = {
    **{same: same for same in "018osxzlHINOSXZ"},
    **{pair[0]: pair[1] for pair in _PAIRS},
    **{pair[1]: pair[0] for pair in _PAIRS},
}
"""Character → what it looks like upside down."""
QUARTER_TURNS = "v<^>"
"""Each is its left neighbour turned clockwise by 90°, around the corner too."""


def turned(text: str, angle_deg: int) -> str:
    """Return the text as it reads on a sheet turned clockwise by 90°, 180° or 270°.

    Upside down a text is reversed and each of its characters turned; by a quarter turn a text would
    run downwards, so there only single characters read as text.

    Raises:
        ValueError: a character, or a text, that has no such shape.
    """
    if angle_deg == 180 and set(text) <= set(HALF_TURN):
        return "".join(HALF_TURN[character] for character in reversed(text))
    if angle_deg in {90, 270} and len(text) == 1 and text in QUARTER_TURNS:
        return QUARTER_TURNS[(QUARTER_TURNS.index(text) + angle_deg // 90) % 4]
    raise ValueError(f"{text!r} is not a text when turned by {angle_deg}°")
