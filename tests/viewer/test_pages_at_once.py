"""Episodes' pages by several processes: each whole, each once, and none for what there is not."""

from pathlib import Path
from typing import Any

import pytest

from mirror_ray.viewer.pages_at_once import write_pages
from mirror_ray.viewer.render_thread import new_renderer
from support.viewed_run import change_rows, viewed_run

pytestmark = pytest.mark.thorough("viewer/test_viewer_pages.py, page by page")


def _one_is_wrong(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"ego_color": "red" if row["condition"] == "E1" else "blue"}


def test_each_page_is_written_once(tmp_path: Path) -> None:
    run, folder = tmp_path / "run", tmp_path / "pages"
    plan = viewed_run(run, runs=4)
    ids = [spec.episode_id for spec in plan.episodes]
    assert len(ids) == 8
    # Its model answers alike in both conditions, and so is right in scenes of its own.
    cells = tuple(dict.fromkeys(spec.cell.cell_id for spec in plan.episodes))
    change_rows(run / "episodes", _one_is_wrong)
    written = list(
        write_pages(
            [str(run)],
            [*ids, ids[0], "0" * 16],
            folder,
            back="../index.html",
            renderer=new_renderer,
            compared=[(cells[0], cells[1]), ("none", "such")],
            most_processes=2,
        )
    )
    assert sorted(written) == sorted(ids)
    names = {path.name for path in folder.iterdir()}
    (pair,) = names - {f"{one}.html" for one in ids} - {"index.html"}
    assert len(names) == len(ids) + 2
    one, other = pair.removesuffix(".html").split("-")
    by_id = {spec.episode_id: spec for spec in plan.episodes}
    assert [by_id[one].cell.cell_id, by_id[other].cell.cell_id] == list(cells)
    assert (by_id[one].scene_seed, by_id[one].run) == (by_id[other].scene_seed, by_id[other].run)
    listed = (folder / "index.html").read_text()
    assert listed.count('class="id" href=') == len(ids)
    assert listed.count(f'href="{pair}"') == 2
    for one in ids:
        text = (folder / f"{one}.html").read_text()
        assert 'href="../index.html"' in text
        assert "data:image/webp;base64," in text
