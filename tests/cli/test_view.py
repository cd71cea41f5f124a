"""`view --static`: the chosen episodes as files; what cannot be chosen is named."""

import json
import re

import pytest

from mirror_ray.cli import main
from mirror_ray.sweep.plan import Plan
from support.viewed_run import viewed_run


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return viewed_run(tmp_path_factory.mktemp("view") / "out")


@pytest.fixture
def complaint(plan, capsys):
    def of(*arguments: str) -> str:
        assert main(["view", plan.sweep.out, *arguments]) == 2
        return capsys.readouterr().err

    return of


def test_chosen_episodes_become_whole_pages(plan, tmp_path, capsys):
    wanted = plan.episodes[0].episode_id
    folder = tmp_path / "new" / "pages"
    arguments = ["--static", str(folder), "--episodes", wanted[:8], wanted, "--json"]
    assert main(["view", plan.sweep.out, *arguments]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "folder": str(folder),
        "index": str(folder / "index.html"),
        "episodes": [wanted],
        "left_out": 0,
    }
    assert {path.name for path in folder.iterdir()} == {f"{wanted}.html", "index.html"}
    page = (folder / f"{wanted}.html").read_text()
    sources = re.findall(r'<img[^>]* src="([^"]*)"', page)
    # Five asks: frame, evidence and map of each.
    assert len(sources) == 15
    assert all(source.startswith("data:image/webp;base64,") for source in sources)
    links = set(re.findall(r'<a [^>]*href="([^"#]+)"', page))
    assert links == {"index.html"}
    assert f'href="{wanted}.html"' in (folder / "index.html").read_text()


def test_where_chooses_by_columns_and_by_the_run_s_views(plan, tmp_path):
    where = "condition = 'E4' and episode_id in (select episode_id from episode.selfid where done)"
    assert main(["view", plan.sweep.out, "--static", str(tmp_path), "--where", where]) == 0
    ids = [spec.episode_id for spec in plan.episodes if spec.cell.condition == "E4"]
    assert {path.stem for path in tmp_path.iterdir()} == {*ids, "index"}


def test_without_a_choice_a_bounded_number_is_written(plan, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("mirror_ray.cli.view.MOST_UNCHOSEN", 1)
    assert main(["view", plan.sweep.out, "--static", str(tmp_path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    written = {path.stem for path in tmp_path.iterdir()} - {"index"}
    assert len(written) == 1
    assert f"1 of {len(plan.episodes)} episodes, spread evenly" in said
    assert "--where true writes all" in said


def test_bad_choices_are_named(plan, tmp_path, complaint):
    folder = ["--static", str(tmp_path)]
    assert "no sealed id" in complaint(*folder, "--episodes", "zzzz")
    assert "several ids" in complaint(*folder, "--episodes", "")
    assert "--where" in complaint(*folder, "--where", "nonsense = 1")
    assert "--static FOLDER" in complaint("--episodes", plan.episodes[0].episode_id)
    assert "--static" in complaint("--static", "/proc/nowhere", "--where", "true")
    assert "--port" in complaint("--port", "99999")


def test_folder_of_something_else_is_no_run(tmp_path, capsys):
    assert main(["view", str(tmp_path)]) == 2
    assert "no manifest.json there" in capsys.readouterr().err
