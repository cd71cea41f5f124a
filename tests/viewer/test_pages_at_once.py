"""Episodes' pages by several processes: each whole, each once, and the same as of one; processes
end with what they were begun for."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mirror_ray.core.errors import RenderError
from mirror_ray.core.types import Frame, View
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker, new_renderer
from mirror_ray.viewer.pages_at_once import write_chosen, write_pages
from mirror_ray.viewer.run import Run
from mirror_ray.world.room.view import EyeView
from support.viewed_run import change_rows, viewed_run

pytestmark = pytest.mark.thorough("viewer/test_viewer_pages.py, page by page")


class _Falters:
    """Draws some pictures, and then does what it was made for."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._inner, self._then, self._left = new_renderer(), then, 20

    def draw(self, view: View) -> Frame:
        self._left -= 1
        if not self._left:
            self._then()
        return self._inner.draw(view)

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        return self._inner.identify(view)

    def close(self) -> None:
        self._inner.close()


def _that_fails() -> ClosableRenderer:
    def fail() -> None:
        raise RenderError("no such picture", "a wall", "a room", "look elsewhere")

    return _Falters(fail)


def _that_crashes() -> ClosableRenderer:
    return _Falters(lambda: os.kill(os.getpid(), signal.SIGKILL))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pages") / "run"
    viewed_run(out, runs=20)
    return out


@pytest.fixture
def run(recorded: Path) -> Iterator[Run]:
    run = Run({str(recorded): read_manifest(str(recorded))}, RenderWorker(new_renderer))
    run.index.classes_note(None)
    yield run
    run.close()


def test_files_are_the_same_whatever_the_number_of_processes(run: Run, tmp_path: Path) -> None:
    chosen = run.index.all()[3:13]
    for n in (1, 2):
        folder = tmp_path / str(n)
        paths = write_chosen(run, chosen, folder, renderer=new_renderer, most_processes=n)
        names = [path.name for path in paths]
        assert names == [*(f"{row['episode_id']}.html" for row in chosen), "index.html"]
        assert sorted(names) == sorted(path.name for path in folder.iterdir())
    for path in (tmp_path / "1").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes(), path.name
    # Before, after: in the order of the list, whoever wrote them.
    fifth = (tmp_path / "2" / f"{chosen[4]['episode_id']}.html").read_text()
    assert f'href="{chosen[3]["episode_id"]}.html"' in fifth
    assert f'href="{chosen[5]["episode_id"]}.html"' in fifth


@pytest.mark.parametrize(
    ("renderer", "says"), [(_that_fails, "no such picture"), (_that_crashes, "was killed")]
)
def test_a_page_that_cannot_be_written_ends_all_processes(
    run: Run, tmp_path: Path, renderer: Callable[[], ClosableRenderer], says: str
) -> None:
    pages = write_chosen(run, run.index.all(), tmp_path, renderer=renderer, most_processes=2)
    with pytest.raises(RenderError, match=says):
        list(pages)
    assert multiprocessing.active_children() == []
    # What was written is whole: a page that was begun has no name of its own yet.
    for path in tmp_path.glob("*.html"):
        assert path.read_text().rstrip().endswith("</html>")
    assert not (tmp_path / "index.html").exists()


@pytest.fixture
def _ctrl_c_arrives() -> Iterator[None]:
    """Who is started in the background of a script ignores it, and so would all that he starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_ctrl_c_arrives")
@pytest.mark.parametrize("interrupted", [True, False])
def test_processes_end_with_the_command(
    recorded: Path, tmp_path: Path, *, interrupted: bool
) -> None:
    command = [sys.executable, "-m", "mirror_ray", "view", str(recorded), "--where", "true"]
    with subprocess.Popen(
        [*command, "--static", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # As in a terminal, the whole group gets the signal, and nobody else.
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("1/40 ")
        if interrupted:
            os.killpg(running.pid, signal.SIGINT)
        else:
            running.kill()
        # At its end nobody has the pipes any more.
        out, told = running.communicate()
    assert "index.html" not in out
    if interrupted:
        assert (running.returncode, told) == (130, "")
        assert not list(tmp_path.glob(".*"))


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
