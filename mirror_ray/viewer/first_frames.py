"""Renders one frame per condition of a run: the first one shown to a model."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import duckdb

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.page import ReportFrame
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.episode_view import EpisodeView
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker
from mirror_ray.viewer.listed import list_sealed, shards_of_each
from mirror_ray.world.opengl.encode import encode

MOST_FRAMES = 12

_FIRST = """
from listed
qualify row_number() over (partition by family, condition order by scene_seed, run, place) = 1
order by family, condition
"""


def first_frames(
    manifests: Mapping[str, Mapping[str, Any]], make_renderer: Callable[[], ClosableRenderer]
) -> tuple[ReportFrame, ...]:
    """Render the first frame of one episode of each condition, at most `MOST_FRAMES`.

    Conditions whose frames cannot be rendered are left out; the result is empty if no frame can be.
    All conditions of a family show the same scene if one was played in all of them.

    Args:
        manifests: run directory → its manifest.
    """
    renderer = RenderWorker(make_renderer)
    try:
        view = EpisodeView(manifests, renderer)
        return tuple(_frames(view, _drawn_first(tuple(manifests))))
    finally:
        renderer.close()


def _drawn_first(directories: Sequence[str]) -> list[StoredRow]:
    # Not the viewer's index, which would also open all views to find out what is right and wrong.
    with duckdb.connect() as connection:
        list_sealed(connection, shards_of_each(directories))
        first = Reading(connection).rows(_FIRST)
    drawing = (row for row in first if (family := FAMILIES.get(row["family"])) and family.draws)
    return list(islice(drawing, MOST_FRAMES))


def _frames(view: EpisodeView, rows: Sequence[StoredRow]) -> Iterator[ReportFrame]:
    for row in rows:
        try:
            rgb = view.picture(row, 1, "view-1", is_alone=True)
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
