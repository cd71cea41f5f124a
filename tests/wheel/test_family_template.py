"""The template of a family in a package of its own, installed from its wheel."""

import json
from pathlib import Path
from shutil import copytree

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.records.schemas import EPISODES, STEPS
from support.plugin_wheels import EXAMPLES, command, mirror_ray, site_of

pytestmark = pytest.mark.thorough("contract/test_how_to_add.py")

TEMPLATE = EXAMPLES / "family_template"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site_of(tmp_path_factory, "family_template")


def test_it_is_small() -> None:
    files = (path for path in TEMPLATE.rglob("*") if path.suffix != ".pyc" and path.is_file())
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 400


def test_it_keeps_the_contract(site: Path, tmp_path: Path) -> None:
    done = mirror_ray("check-family", "letters", "--json", site=site, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    checks = json.loads(done.stdout)
    assert {check["topic"] for check in checks} == {"declared", "plays", "agents", "tables"}
    assert all(check["holds"] for check in checks)


def test_what_breaks_the_contract_is_found(site: Path, tmp_path: Path) -> None:
    """An episode that asks at random resumes as another one."""
    other = copytree(site, tmp_path / "site")
    play = other / "mirror_letters" / "play.py"
    text = play.read_text(encoding="utf-8")
    told = text.replace('rng = seeded("letters", str(spec.scene_seed), str(spec.run))', "")
    told = told.replace("    while True:", "    rng = np.random.default_rng()\n    while True:")
    play.write_text(told, encoding="utf-8")
    done = mirror_ray("check-family", "letters", "--json", site=other, cwd=tmp_path)
    assert done.returncode == 1
    assert any(
        check["topic"] == "plays" and "resumed after" in check["what"]
        for check in json.loads(done.stdout)
    )


def test_its_sweep_is_planned_and_names_it_by_version(site: Path, tmp_path: Path) -> None:
    script = (
        "from mirror_ray.sweep.load import load_plan\n"
        "import json\n"
        "plan = load_plan('mirror_letters/letters')\n"
        "print(json.dumps([len(plan.episodes), plan.sweep.resolved['plugins']]))"
    )
    done = command("-c", script, site=site, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2_000:]
    n_episodes, plugins = json.loads(done.stdout)
    assert n_episodes == 160
    assert plugins["families letters"] == "mirror-letters 0.1.0"


def test_a_broken_plug_in_costs_only_sweeps_that_use_it(site: Path, tmp_path: Path) -> None:
    broken = copytree(site, tmp_path / "site")
    module = broken / "mirror_letters" / "__init__.py"
    module.write_text("raise RuntimeError('no licence')\n", encoding="utf-8")
    used = mirror_ray("plan", "mirror_letters/letters", site=broken, cwd=tmp_path)
    assert used.returncode == 2
    for word in ("mirror-letters 0.1.0", "letters = mirror_letters.family:FAMILY", "no licence"):
        assert word in used.stderr
    other = mirror_ray("plan", "quickstart", site=broken, cwd=tmp_path)
    assert other.returncode == 0, other.stderr


@pytest.mark.parametrize(
    ("name", "said"), [("selfid", "its name is taken"), ("Let-ters", "invalid name")]
)
def test_names_of_plug_ins_are_checked(name: str, said: str, site: Path, tmp_path: Path) -> None:
    other = copytree(site, tmp_path / "site")
    (points,) = other.glob("*.dist-info/entry_points.txt")
    text = points.read_text(encoding="utf-8")
    points.write_text(text.replace("letters = mirror", f"{name} = mirror"), encoding="utf-8")
    done = mirror_ray("check-family", name, site=other, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


def test_rows_of_an_absent_plug_in_can_be_read(tmp_path: Path) -> None:
    said = {"episode_id": "e", "take": 1, "family": "letters", "error_kind": "none", "word": "ABC"}
    for kind, schema in (("steps", STEPS), ("episodes", EPISODES)):
        path = tmp_path / kind / "family=letters" / "part-0.parquet"
        path.parent.mkdir(parents=True)
        own = schema.append(pa.field("word", pa.string()))
        blank = {pa.string(): "", pa.bool_(): False}
        needed = {one.name: blank.get(one.type, 0) for one in schema if not one.nullable}
        pq.write_table(pa.Table.from_pylist([{**needed, **said}], own), path)
    with open_run(str(tmp_path)) as connection:
        for view in ("shard.letters_steps", "stage.letters_episodes", "stage.letters_steps"):
            assert connection.sql(f"from {view}").select("word").fetchall() == [("ABC",)]
