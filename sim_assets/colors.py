"""The ten body colours as linear RGB in 0–1, and what they are called.

They are the flat material colours; `mirror_ray.world` lights them, evenly, on purpose.
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
