"""The parameters of selfid's views that `--set` changes."""

from collections.abc import Mapping

PARAMETERS: Mapping[str, str] = {
    "evidence": "what counts as evidence: the own reflection, or any sight of the mirror",
    "mirror_px_grid": "pixels of reflection for which the curves are drawn",
    "mirror_px_threshold": "pixels of the own reflection from which a frame is "
    "evidence, at 640×480",
    "near_radius_grid": "distances for which the curves are drawn, in metres",
    "near_radius_m": "how near a cube is near, in metres between centres",
}
"""Name → what it is."""
