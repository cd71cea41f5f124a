"""`mirror-ray doctor --gpu` checks that concurrent renderers work and agree on each GPU."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from mirror_ray.cli.show import console, new_table, print_json
from mirror_ray.core.errors import RenderError
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.replay.verify import TOLERANCE_PX, gap_px
from mirror_ray.world.drawing_check.process import Drawn
from mirror_ray.world.drawing_check.together import Together, devices_here, draw_together
from mirror_ray.world.opengl.egl_devices import EglDevice

RENDERER_COUNTS = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class Checked:
    """One device, with rounds of more and more renderers up to the first round that failed. `cpu`
    has the software renderer's pictures; None if EGL lists no such renderer, or if this is that
    one."""

    device: EglDevice | None
    rounds: tuple[Together, ...]
    cpu: Drawn | None

    def gap_px(self, one: Together) -> float | None:
        """Return the largest difference from the CPU's evidence; None if either is missing."""
        if self.cpu is None or not one.drawn:
            return None
        return max(gap_px(list(self.cpu.facts), list(drawn.facts)) for drawn in one.drawn)

    def is_sound(self, one: Together) -> bool:
        """Return whether a round is correct."""
        drew_all = not one.hung and not one.failed
        return drew_all and bool(one.digests_equal) and (self.gap_px(one) or 0.0) <= TOLERANCE_PX

    @property
    def renderer(self) -> str | None:
        """OpenGL's name of the device that rendered; None if rendering failed."""
        return next((drawn.gl.renderer for one in self.rounds for drawn in one.drawn), None)


def main(*, on_gpus: bool, counts: Sequence[int], as_json: bool) -> int:
    """Print a table for each device; return 1 if anything hung, failed or differed.

    Args:
        on_gpus: on each GPU; False: in software.
        counts: how many renderers at a time.

    Raises:
        RenderError: the machine has no GPU.
    """
    listed = devices_here()
    software = next((one for one in listed if one.is_software), None)
    gpus = [one for one in listed if not one.is_software]
    if on_gpus and not gpus:
        raise RenderError(
            "no GPU to render on",
            f"EGL lists {'software alone' if listed else 'no device'}",
            "a GPU whose driver provides an EGL library",
            "in a container NVIDIA_DRIVER_CAPABILITIES=all; or check software: doctor --renderers "
            + ",".join(map(str, counts)),
        )
    cpu = None
    if on_gpus and software is not None:
        cpu = next(iter(draw_together(software, 1, rounds=1).drawn), None)
    devices: Sequence[EglDevice | None] = gpus if on_gpus else [software]
    checked = [Checked(device, tuple(_rounds(device, counts)), cpu) for device in devices]
    if as_json:
        print_json({"devices": [_plain(one) for one in checked]})
    else:
        for one in checked:
            console.print(_table(one))
    return int(not all(one.is_sound(of) for one in checked for of in one.rounds))


def _rounds(device: EglDevice | None, counts: Sequence[int]) -> Iterator[Together]:
    for count in counts:
        one = draw_together(device, count)
        yield one
        if one.hung:
            # More renderers would hang too, each until its deadline.
            return


def _plain(one: Checked) -> dict[str, Any]:
    return {
        "device": None if one.device is None else asdict(one.device),
        "renderer": one.renderer,
        "rounds": [
            {
                "renderers": of.renderers,
                "frames_per_s": of.frames_per_s,
                "digests_equal": of.digests_equal,
                "evidence_gap_px": one.gap_px(of),
                "hung": of.hung,
                "failed": list(of.failed),
                "is_sound": one.is_sound(of),
            }
            for of in one.rounds
        ],
    }


def _table(one: Checked) -> Table:
    where = "" if one.device is None else f", EGL device {one.device.index}"
    cuda = "" if one.device is None or one.device.cuda is None else f", CUDA {one.device.cuda}"
    table = new_table(
        *("renderers", "frames/s", "pictures", "evidence", "hung", "errors"),
        title=f"{one.renderer or 'nothing drawn'}{where}{cuda}",
    )
    for of in one.rounds:
        gap = one.gap_px(of)
        table.add_row(
            str(of.renderers),
            MISSING if of.frames_per_s is None else f"{of.frames_per_s:.1f}",
            {True: "equal", False: "differ", None: MISSING}[of.digests_equal],
            MISSING if gap is None else f"within {gap:g} px of the CPU's",
            str(of.hung or MISSING),
            "; ".join(of.failed) or MISSING,
        )
    return table
