"""Renders one frame per condition of a run: the first one shown to a model."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mirror_ray.analysis.report.page import ReportFrame
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker
from mirror_ray.viewer.run import Run
from mirror_ray.world.opengl.encode import encode

MOST_FRAMES = 12


def first_frames(
    manifests: Mapping[str, Mapping[str, Any]], make_renderer: Callable[[], ClosableRenderer]
) -> tuple[ReportFrame, ...]:
    """Render the first frame of one episode of each condition, at most `MOST_FRAMES`.

    Conditions whose frames cannot be rendered are left out; the result is empty if no frame can be.
    All conditions of a family show the same scene if one was played in all of them.

    Args:
        manifests: run directory → its manifest.
    """
    run = Run(manifests, RenderWorker(make_renderer))
    try:
        rows = sorted(run.index.all(), key=lambda row: (row["scene_seed"], row["run"]))
        chosen: dict[tuple[str, str], StoredRow] = {}
        for row in rows:
            family = FAMILIES.get(row["family"])
            if family is not None and family.draws:
                chosen.setdefault((row["family"], row["condition"]), row)
        listed = [chosen[key] for key in sorted(chosen)][:MOST_FRAMES]
        return tuple(_frames(run, listed))
    finally:
        run.close()


def _frames(run: Run, rows: list[StoredRow]) -> Iterator[ReportFrame]:
    for row in rows:
        try:
            rgb = run.episode_view.picture(row, 1, "view-1", is_alone=True)
        except (KeyError, MirrorRayError):
            # A report is useful even without pictures.
            continue
        data = encode(rgb, "jpeg")
        conditions = FAMILIES[row["family"]].conditions
        yield ReportFrame(
            f"{row['family']} {row['condition']}",
            conditions.get(row["condition"], ""),
            f"data:image/jpeg;base64,{b64encode(data.data).decode()}",
        )
