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
        cpu: the processor's name; None where the system does not say.
        gl: the renderer; None if nothing is to be drawn.
        drawn_on: the device that it draws on; None likewise.
    """

    cpu: str | None
    gl: GlInfo | None
    drawn_on: DrawnOn | None = None


def host_facts(environments: Sequence[RenderEnvironment]) -> dict[str, Any]:
    """What the manifest says of a host: the first one's facts, and all devices that are drawn on.

    Args:
        environments: of the processes there; at least one.
    """
    devices = dict.fromkeys(one.drawn_on for one in environments if one.drawn_on is not None)
    return {**asdict(environments[0]), "drawn_on": [asdict(device) for device in devices]}
