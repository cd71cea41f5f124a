"""One renderer of a drawing check, as a separate process.

    python -m mirror_ray.world.drawing_check.process list
    python -m mirror_ray.world.drawing_check.process DEVICE ROUNDS

`list` prints EGL's devices as JSON. With the index of one of them, or "any", it prints an empty
line once it can draw, reads a line, draws the sample views so many times, and prints a `Drawn`."""

import json
import sys
from dataclasses import asdict, dataclass
from hashlib import sha256
from time import monotonic
from typing import Any

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import Facts
from mirror_ray.world.opengl.context import GlInfo, choose_backend
from mirror_ray.world.opengl.egl_devices import listed_devices
from mirror_ray.world.room.scene import Body, Box, Pose, Scene
from mirror_ray.world.room.view import EyeView, Stance

SIZE_PX = (640, 480)
_FOV_DEG = 110.0

_SCENE = Scene(
    reflector_wall="east",
    reflector="mirror",
    ego=Body(Pose(0.5, 0.0, 0.0), "red"),
    cubes=(Box(2.0, 1.5, 20.0, 0.3, 0.3, 0.3, "red"), Box(2.0, -1.5, 50.0, 0.3, 0.3, 0.3, "blue")),
    clutter=(Box(-2.0, 2.0, 10.0, 0.6, 0.4, 0.5, "stone"),),
    others=(Body(Pose(1.5, -0.8, 90.0), "green"),),
)
_PLACES = (
    Pose(0.5, 0.0, 0.0),
    Pose(-1.0, 1.0, 30.0),
    Pose(-1.5, -1.0, -30.0),
    Pose(1.0, 1.8, -60.0),
)
ANY, LIST = "any", "list"


def sample_views() -> tuple[EyeView, ...]:
    """Return views of 640×480 pixels, all different; each shows the mirror."""
    others = tuple(Stance(body.pose, 0.0) for body in _SCENE.others)
    return tuple(
        EyeView(_SCENE, Stance(place, 0.0), others, *SIZE_PX, _FOV_DEG, "png") for place in _PLACES
    )


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a process drew.

    Args:
        digests: for each view, every SHA-256 of its pixels that occurred over the rounds.
        facts: for each view, what it shows, in the last round.
        elapsed_s: from the first frame to the last.
    """

    gl: GlInfo
    digests: tuple[tuple[str, ...], ...]
    facts: tuple[Facts, ...]
    frames: int
    elapsed_s: float

    @classmethod
    def read(cls, said: str) -> "Drawn":
        """Return what the JSON of `print_drawn` states."""
        fields: dict[str, Any] = parse_json(said)
        digests = tuple(tuple(one) for one in fields.pop("digests"))
        return cls(**{**fields, "gl": GlInfo(**fields["gl"]), "digests": digests})


def print_drawn(device: str, rounds: int) -> None:
    """Draw once there is a line to read, and print a `Drawn` as JSON."""
    choose_backend()
    from mirror_ray.world.opengl.device_choice import open_display  # noqa: PLC0415
    from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

    if device != ANY:
        open_display(listed_devices()[int(device)])
    renderer, views = Renderer(), sample_views()
    print(flush=True)
    sys.stdin.readline()
    digests: list[set[str]] = [set() for _ in views]
    facts: list[Facts] = []
    began_s = monotonic()
    for _ in range(rounds):
        frames = []
        for view, seen in zip(views, digests, strict=True):
            frame = renderer.draw(view)
            seen.add(sha256(frame.rgb.tobytes()).hexdigest())
            frames.append(frame.facts)
        facts = frames
    elapsed_s = monotonic() - began_s
    sorted_digests = tuple(tuple(sorted(seen)) for seen in digests)
    drawn = Drawn(renderer.gl, sorted_digests, tuple(facts), rounds * len(views), elapsed_s)
    print(json.dumps(asdict(drawn)), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == LIST:
        print(json.dumps([asdict(device) for device in listed_devices()]), flush=True)
    else:
        print_drawn(sys.argv[1], int(sys.argv[2]))
