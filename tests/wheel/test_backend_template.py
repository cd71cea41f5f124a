"""The template of a backend in a package of its own, installed from its wheel and swept on Ray."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import copytree

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.plugin_wheels import mirror_ray, site_of

pytestmark = pytest.mark.thorough("providers/test_plugged_endpoint.py")

ANSWERS = """\
import json, os, re, sys
asked = json.load(sys.stdin)
with open(os.environ["STARTS"], "a") as starts:
    starts.write("x")
word = re.search(r"reads ([A-Z]+)", asked["messages"][-1]["content"])[1]
print(json.dumps({
    "model": "house 3",
    "choices": [{"message": {"content": word}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1_000, "completion_tokens": len(os.environ["MODEL_API_KEY"])},
}))
"""
SWEEP = """\
name: asked
models: [house/m, scripted/letters-copier]
catalogue: mine.yaml
stages: [{family: letters, conditions: [plain, mirrored], seeds: 4}]
out: run
budget_usd: 1
engine: {simulators: 1}
"""
KEY = "sk-house-0123456789abcdef"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site_of(tmp_path_factory, "backend_template", "family_template")


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    starts = tmp_path_factory.mktemp("starts") / "starts"
    return {"HOUSE_API_KEY": KEY, "STARTS": str(starts)}


@pytest.fixture(scope="module")
def folder(site: Path, env: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep of both packages, played."""
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "answer.py").write_text(ANSWERS)
    (folder / "mine.yaml").write_text(
        "models:\n  house/m:\n    backend: program\n"
        f"    target: {sys.executable} {folder}/answer.py\n"
        "    api_key_env: HOUSE_API_KEY\n    usd_per_mtok_in: 10\n    usd_per_mtok_out: 0\n"
    )
    (folder / "asked.yaml").write_text(SWEEP)
    done = mirror_ray("run", "asked.yaml", site=site, cwd=folder, env=dict(env))
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_its_replies_are_recorded_priced_and_asked_once(
    folder: Path, site: Path, env: Mapping[str, str]
) -> None:
    with open_run(str(folder / "run")) as connection:
        asked = connection.sql(
            "select model, count(*), count(*) filter (error_kind = 'none'),"
            " round(sum(cost_usd), 6), any_value(model_version), sum(tokens_out)"
            " from stage.letters_steps group by all order by model"
        ).fetchall()
    assert asked == [
        ("house/m", 8, 8, 0.08, "house 3", 8 * len(KEY)),
        ("scripted/letters-copier", 8, 8, 0.0, "scripted/letters-copier 1", None),
    ]
    again = mirror_ray("run", "asked.yaml", site=site, cwd=folder, env=dict(env))
    assert again.returncode == 0, again.stderr
    assert len(Path(env["STARTS"]).read_text()) == 8
    written = [path for path in (folder / "run").rglob("*") if path.is_file()]
    assert len(written) > 2
    assert not [path for path in written if KEY.encode() in path.read_bytes()]


def test_the_manifest_names_it_by_version(folder: Path) -> None:
    manifest = json.loads((folder / "run" / "manifest.json").read_text())
    assert manifest["sweep"]["plugins"]["backends program"] == "mirror-program 0.1.0"
    assert manifest["runs"][0]["models"]["house/m"]["plugin"] == "program"


def test_a_run_goes_on_under_no_other_version(
    folder: Path, site: Path, env: Mapping[str, str], tmp_path: Path
) -> None:
    other = copytree(site, tmp_path / "site")
    (metadata,) = other.glob("mirror_program-*/METADATA")
    metadata.write_text(metadata.read_text().replace("Version: 0.1.0", "Version: 0.2.0"))
    done = mirror_ray("run", "asked.yaml", site=other, cwd=folder, env=dict(env))
    assert done.returncode == 2
    assert "mirror-program 0.2.0" in done.stderr
    assert "mirror-program 0.1.0" in done.stderr


def test_without_it_the_rows_are_read_and_the_sweep_is_refused(
    folder: Path, site: Path, env: Mapping[str, str], tmp_path: Path
) -> None:
    without = copytree(site, tmp_path / "site")
    (points,) = without.glob("mirror_program-*/entry_points.txt")
    points.unlink()
    refused = mirror_ray("plan", "asked.yaml", site=without, cwd=folder, env=dict(env))
    assert refused.returncode == 2
    for words in ("mine.yaml: models.house/m.backend", "'program'", "mirror_ray.backends"):
        assert words in refused.stderr
    query = "select count(*) as n from stage.letters_steps where model = 'house/m'"
    read = mirror_ray("sql", "run", query, "--json", site=without, cwd=folder)
    assert (read.returncode, json.loads(read.stdout)) == (0, [{"n": 8}]), read.stderr


def test_one_question_is_asked_by_check(folder: Path, site: Path, env: Mapping[str, str]) -> None:
    """What the program says to it is no colour: it is read as any reply."""
    (folder / "blind.py").write_text(ANSWERS.replace("word = re", "word = 'no' or re"))
    text = (folder / "mine.yaml").read_text().replace("answer.py", "blind.py")
    (folder / "blind.yaml").write_text(text.replace("house/m", "house/blind"))
    words = ("models", "house/blind", "--catalogue", "blind.yaml", "--check", "--json")
    done = mirror_ray(*words, site=site, cwd=folder, env=dict(env))
    (found,) = json.loads(done.stdout)
    assert found["model"] == "house/blind", done.stderr
    assert found["error_kind"] == "none"
