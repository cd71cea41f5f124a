"""The facts on which frames may depend, and what a manifest says of them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mirror_ray.world.opengl.context import GlInfo
from mirror_ray.world.opengl.device_choice import DrawnOn


@dataclass(frozen=True, slots=True)
class RenderEnvironment:
    """Facts on which the frames of a process may depend.

    Args:
        cpu: the processor's name, if the system tells it.
        gl: the renderer; `drawn_on`: its device; None without pictures.
    """

    cpu: str | None
    gl: GlInfo | None
    drawn_on: DrawnOn | None = None


def host_facts(environments: Sequence[RenderEnvironment]) -> dict[str, Any]:
    """Return a host's facts for the manifest: those of its first process, and all devices that
    draw."""
    devices = dict.fromkeys(one.drawn_on for one in environments if one.drawn_on is not None)
    return {**asdict(environments[0]), "drawn_on": [asdict(device) for device in devices]}
