"""Every colour of the simulation as RGB in 0–1: the ten a body may have, and the neutral rest.

They are flat material colours; `mirror_ray.world` lights them, evenly, on purpose. The neutral
tones are greys and beiges of medium brightness, so that nothing else has a body's colour.
"""

COLORS: dict[str, tuple[float, float, float]] = {
    "red": (0.86, 0.08, 0.08),
    "green": (0.10, 0.62, 0.16),
    "blue": (0.10, 0.22, 0.86),
    "yellow": (0.95, 0.86, 0.10),
    "orange": (0.96, 0.52, 0.06),
    "purple": (0.46, 0.14, 0.66),
    "pink": (0.98, 0.52, 0.74),
    "cyan": (0.10, 0.80, 0.86),
    "brown": (0.42, 0.25, 0.12),
    "white": (0.95, 0.95, 0.95),
}
COLOR_NAMES: tuple[str, ...] = tuple(COLORS)
UNKNOWN = "unknown"

CLUTTER_TONES: dict[str, tuple[float, float, float]] = {
    "stone": (0.45, 0.44, 0.42),
    "ash": (0.38, 0.39, 0.41),
    "sand": (0.52, 0.48, 0.41),
    "slate": (0.31, 0.32, 0.34),
}
"""The colours of clutter boxes."""

WALL_TONES: dict[str, tuple[float, float, float]] = {
    "east": (0.66, 0.63, 0.57),
    "north": (0.56, 0.59, 0.63),
    "west": (0.62, 0.61, 0.60),
    "south": (0.53, 0.51, 0.49),
}
"""One tone per wall, distinct so that a place can be recognised; a panel has its wall's tone."""

COVER_TONE: tuple[float, float, float] = (0.27, 0.28, 0.30)
"""The colour of the cover over a mirror: darker than any wall, so that it is visible."""

FLOOR_TONES: tuple[tuple[float, float, float], tuple[float, float, float]] = (
    (0.47, 0.46, 0.44),
    (0.53, 0.52, 0.49),
)
"""The two tones of the floor's checker."""

CEILING_TONE: tuple[float, float, float] = (0.86, 0.86, 0.84)
