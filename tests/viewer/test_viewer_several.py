"""Several run directories as one list: each episode once, of the run that counts, and its page."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.core.errors import RenderError
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.export import Written, write_list
from mirror_ray.viewer.filters import Filters, Order
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker
from mirror_ray.viewer.index import EpisodeIndex
from mirror_ray.viewer.run import Run
from mirror_ray.viewer.server import Viewer
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says
from support.two_runs import two_runs
from support.viewed_run import change_rows
from support.whole import mostly_thorough


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A has two scenes of E1; B three of E1 and E2, of which those of A failed; C is A again."""
    folder = tmp_path_factory.mktemp("runs")
    two_runs(folder)
    record_run(plan_for(folder / "C", runs=2), lambda _: says("done"))
    change_rows(
        folder / "B" / "episodes",
        lambda row: row | {"error_kind": "server"} if row["run"] < 2 else row,
    )
    return [str(folder / name) for name in "ABC"]


@pytest.fixture(scope="module")
def run(three: list[str]) -> Iterator[Run]:
    def no_renderer() -> ClosableRenderer:
        raise RenderError("nothing is drawn here")

    opened = Run({one: read_manifest(one) for one in three[:2]}, RenderWorker(no_renderer))
    opened.index.classes_note(None)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def viewer(run: Run) -> Iterator[Viewer]:
    with Viewer(run, 0) as served:
        thread = Thread(target=served.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield served
        served.shutdown()
        thread.join()


def get(viewer: Viewer, path: str) -> str:
    with urlopen(f"http://127.0.0.1:{viewer.server_port}{path}") as reply:
        return str(reply.read().decode())


@pytest.mark.parametrize(
    "chosen", mostly_thorough(2, [((0, 1, 2),), ((0, 1),), ((1, 0),), ((0, 2),), ((2, 0),)])
)
def test_the_list_has_the_episodes_that_the_views_have(three: list[str], chosen) -> None:
    directories = [three[at] for at in chosen]
    index = EpisodeIndex(directories)
    listed = {(row["episode_id"], row["run_dir"], row["take"]) for row in index.all()}
    index.close()
    with open_run(directories) as connection:
        rows = connection.execute("select episode_id, run_dir, take from stage.selfid_episodes")
        assert set(rows.fetchall()) == listed
    assert len({episode_id for episode_id, _, _ in listed}) == len(listed)


def test_runs_are_a_filter_an_order_and_a_condition(three: list[str], run: Run) -> None:
    index = run.index
    (facet,) = [one for one in index.facets(Filters()) if one.name == "run_dir"]
    assert dict(facet.values) == {three[0]: 2, three[1]: 4}
    page = index.page(Filters(run_dir=three[0]), 1)
    assert (page.total, {row["run_dir"] for row in page.rows}) == (2, {three[0]})
    by_run = index.page(Filters(), 1, Order("run_dir", True)).rows
    assert [row["run_dir"] for row in by_run] == [three[1]] * 4 + [three[0]] * 2
    kept = EpisodeIndex(three[:2], f"run_dir = '{three[1]}' and condition = 'E1'")
    assert len(kept.all()) == 1
    kept.close()


def test_an_episode_s_page_is_read_from_its_own_run(
    three: list[str], run: Run, viewer: Viewer
) -> None:
    page = get(viewer, "/")
    assert all(f'title="{one}"' in page for one in three[:2])
    narrowed = get(viewer, f"/?run_dir={quote(three[0])}")
    for row in run.index.all():
        assert (row["episode_id"] in narrowed) == (row["run_dir"] == three[0])
        assert row["episode_id"] in get(viewer, f"/episode/{row['episode_id']}")


def test_the_live_page_is_of_one_run_and_leads_to_the_others(
    three: list[str], viewer: Viewer
) -> None:
    first, second = get(viewer, "/live"), get(viewer, f"/live?run_dir={quote(three[1])}")
    assert f"<b>{three[0]}</b>" in first
    assert f'href="/live?run_dir={quote(three[1], safe="")}"' in first
    assert f"<b>{three[1]}</b>" in second
    with pytest.raises(HTTPError) as refused:
        get(viewer, f"/live?run_dir={quote(three[2])}")
    assert refused.value.code == 400


def test_written_pages_name_the_runs_only_where_there_are_several(
    three: list[str], run: Run, tmp_path: Path
) -> None:
    rows = run.index.all()
    several = write_list(run, rows, Written(), tmp_path).read_text()
    assert all(f'data-run_dir="{one}"' in several for one in three[:2])
    assert 'name="run_dir"' in several
    alone = [row for row in rows if row["condition"] == "E2"]
    one = write_list(run, alone, Written(), tmp_path).read_text()
    assert three[1] not in one
    assert 'name="run_dir"' not in one


def test_the_command_takes_several_and_writes_their_pages(
    three: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "pages"
    chosen = ["--static", str(out), "--where", "run_dir is not null and false"]
    assert main(["view", *three, *chosen]) == 0
    assert (out / "index.html").is_file()
    assert main(["view", three[0], str(tmp_path / "none"), *chosen]) == 2
    assert str(tmp_path / "none") in capsys.readouterr().err
