"""Measure rendering of MirrorQA's generated items: 500 of each half, direct and mirrored.

    python benchmarks/mirrorqa_items.py [--items 500] [--processes 2]

Draws people and dogs, each seen directly and in the mirror, in four sets. Processes with one OpenGL
context each share the work and encode pictures as PNG, as in a run. CPU seconds depend little on
other programs; wall seconds do. The target is one minute on two cores.
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import mean
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table

from mirror_ray.families.mirrorqa.sim import sim_item
from mirror_ray.families.mirrorqa.sim_design import design
from mirror_ray.world.opengl.encode import encode

TARGET_S = 60.0


def main() -> None:
    """Draw all sets and print their times."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--items", type=int, default=500)
    options.add_argument("--processes", type=int, default=2)
    chosen = options.parse_args()
    begun_s = perf_counter()
    shares = [(part, chosen.processes, chosen.items) for part in range(chosen.processes)]
    with ProcessPoolExecutor(chosen.processes, get_context("spawn")) as pool:
        drawn = list(pool.map(draw_share, shares))
    wall_s = perf_counter() - begun_s
    rows = [row for share in drawn for row in share]
    table = Table("items", "drawn", "CPU ms each", "first shot taken", "later shots", "not drawn")
    for name in sorted({row[0] for row in rows}):
        mine = [row for row in rows if row[0] == name]
        shots = [row[2] for row in mine if row[2] is not None]
        table.add_row(
            name,
            str(len(mine)),
            f"{1e3 * mean(row[1] for row in mine):.1f}",
            f"{sum(shot == 0 for shot in shots) / len(mine):.0%}",
            str(sum(shot > 0 for shot in shots)),
            str(len(mine) - len(shots)),
        )
    console = Console()
    console.print(table)
    cpu_s = sum(row[1] for row in rows)
    console.print(
        f"{len(rows)} pictures: {wall_s:.1f} s of wall clock, {cpu_s:.1f} s of CPU, "
        f"{cpu_s / 2:.1f} s on two free cores; target {TARGET_S:g} s; {os.cpu_count()} cores here, "
        f"load {os.getloadavg()[0]:.1f}"
    )


def draw_share(share: tuple[int, int, int]) -> list[tuple[str, float, int | None]]:
    """Return (set, CPU seconds, shot taken) of every item of one process."""
    # Imported here, because a context belongs to the process that draws.
    from mirror_ray.core.errors import RenderError  # noqa: PLC0415
    from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

    part, processes, items = share
    renderer = Renderer()
    rows: list[tuple[str, float, int | None]] = []
    counts: dict[str, int] = {}
    index = 0
    while min(counts.get("person", 0), counts.get("dog", 0)) < items:
        kind = design(index, 0).kind
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= items and index % processes == part:
            for reflected in (False, True):
                begun_s = process_time()
                made = sim_item(
                    index, 0, reflected=reflected, width_px=640, height_px=480, encoding="png"
                )
                shot: int | None = None
                try:
                    frame = renderer.draw(made.item.view)
                    encode(frame.rgb, "png")
                    shot = frame.facts["shot"]
                except RenderError:
                    pass
                name = f"{kind}, {'mirrored' if reflected else 'direct'}"
                rows.append((name, process_time() - begun_s, shot))
        index += 1
    return rows


if __name__ == "__main__":
    main()
