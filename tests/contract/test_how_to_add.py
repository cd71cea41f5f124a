"""What CONTRIBUTING says an addition takes is all that it takes: made in a copy, it arrives."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

import pytest

ROOT = Path(__file__).parents[2]
OF_CONTINGENCY = ROOT / "tests" / "families" / "contingency"

Edits = Sequence[tuple[str, str, str]]
"""A file, a text in it, which stands there once, and what takes its place."""

METRIC: Edits = (
    (
        "mirror_ray/families/flipset/sql/2_episode/flipset.sql",
        "fail, null) as fail_of_errors",
        "fail, null) as fail_of_errors,\n    (answer = 'A')::integer as hasty",
    ),
    (
        "mirror_ray/families/flipset/metrics.yaml",
        "  egocentric:\n",
        "  hasty: {meaning: Share of A., label: HASTY, direction: -1}\n  egocentric:\n",
    ),
)
METRIC_ARRIVES = """
from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.report.glossary import TERMS
from mirror_ray.analysis.summary import summary_tables
from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import varied_answers, write_flipset_run
out = Path("run")
out.mkdir()
write_flipset_run(out, varied_answers())
bootstrap_run(str(out), draws=20)
with open_run(str(out)) as connection:
    of = lambda view: connection.execute(f"from {view} where metric = 'hasty'").fetchall()
    for view in ("metric.flipset", "metric.flipset_bca", "metric.scores", "twin.scores"):
        assert of(view), view
    (listed,) = of("metric.catalogue")
    assert "HASTY" in listed
    direction = "select distinct direction from metric.scores where metric = 'hasty'"
    assert connection.execute(direction).fetchall() == [(-1,)]
    assert "HASTY" in [str(column.header) for column in summary_tables(connection)[0].columns]
    assert TERMS["HASTY"] == "Share of A."
"""
CONDITION: Edits = (
    (
        "mirror_ray/families/selfid/family.yaml",
        "  E5:\n",
        "  E6: {meaning: E3 and E4, lie: true, others: true}\n  E5:\n",
    ),
)
CONDITION_ARRIVES = """
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.contract.registry import FAMILIES
family = FAMILIES["selfid"]
asks = {}
for condition in ("E1", "E3", "E4", "E6"):
    cell = Cell("selfid", condition, (("subject", "scripted/mute"),), 0.0, "paper", ())
    spec = EpisodeSpec(cell, 1, 0)
    asks[condition] = next(family.play(spec, spec.rng()))
assert asks["E6"].system == asks["E3"].system != asks["E1"].system
assert asks["E6"].views[0].others and asks["E4"].views[0].others
assert not asks["E3"].views[0].others
assert "E6" in family.only_in["others"]
"""


WORKED: Edits = (
    ("mirror_ray/families/contingency/conditions.py", '"last", "later"', '"later"'),
    (
        "mirror_ray/families/contingency/family.yaml",
        "  late:\n"
        "    meaning: a mirror that shows the last step, and two images that move by themselves\n"
        "    images: [last, another, another]\n",
        "",
    ),
    ("mirror_ray/families/contingency/moving.py", '"last": 1, ', ""),
)
"""The condition that is worked through, taken out again."""
WORKED_IS_GONE = """
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.families.contingency.moving import hand_shown
family = FAMILIES["contingency"]
assert set(family.conditions) == {
    "match", "twin", "conflict", "frozen", "all-but-one", "absent"
}
for condition in family.conditions:
    spec = EpisodeSpec(Cell("contingency", condition, (("subject", "m"),), 0.0, "plain"), 1, 0)
    assert next(family.play(spec, spec.rng())).views
try:
    hand_shown("last", ("left",), delay=2, other_way="left", will=("up",))
except KeyError:
    pass
else:
    raise AssertionError("something else knows what it means")
"""


TEMPLATE = ROOT / "examples" / "family_template" / "mirror_letters"
FAMILY_ARRIVES = """
from mirror_ray.analysis.report.glossary import TERMS
from mirror_ray.analysis.report.sections import read_sections
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.cli import main
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import FAMILY_NAMES, module_of
from mirror_ray.core.plugins import installed
assert "letters" in FAMILY_NAMES and "letters" not in installed("families")
assert "letters" in METRICS
assert "episode.letters" in {file.view for file in sql_files()}
assert module_of("letters", "sections").SECTIONS
assert main(["check-family", "letters"]) == 0
"""
DROPPED = ("dyad", "metacog")
WITHOUT_THEM = """
from mirror_ray.cli import main
from mirror_ray.analysis.derived import write_derived
from mirror_ray.analysis.report.files import write_report
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.packages import FAMILY_NAMES
from support.analysis.flipset_runs import varied_answers, write_flipset_run
assert len(FAMILY_NAMES) == 6
assert main(["check-family", "textmirror"]) == 0
assert main(["plan", "textmirror"]) == 0
out = Path("run")
out.mkdir()
write_flipset_run(out, varied_answers())
write_derived(str(out))
with open_run(str(out)) as connection:
    for view in ("metric.scores", "summary.sureness", "paper.design", "metric.catalogue"):
        assert connection.execute(f"from {view} limit 1").fetchall(), view
assert write_report(str(out)).files
"""


def _family_of_its_own(place: Path) -> None:
    """The template's package, as a folder of this one."""
    folder = place / "mirror_ray" / "families" / "letters"
    copytree(TEMPLATE, folder, ignore=ignore_patterns("sweeps", "__pycache__"))
    for file in folder.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        text = text.replace("from mirror_letters.", "from mirror_ray.families.letters.")
        file.write_text(text, encoding="utf-8")


_OF_OPENGL = ("MUJOCO_GL", "LP_NUM_THREADS")


def _copied(place: Path) -> None:
    # With what is compiled already, but no file of it that another process is about to rename.
    half_written = ignore_patterns("*.pyc.*")
    for name in ("mirror_ray", "analysis", "sweeps", "sim_assets"):
        copytree(ROOT / name, place / name, symlinks=True, ignore=half_written)


def _in_a_copy(edits: Edits, script: str, place: Path) -> None:
    if not (place / "mirror_ray").exists():
        _copied(place)
    for name, old, new in edits:
        file = place / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, name
        file.write_text(text.replace(old, new), encoding="utf-8")
    environment = {
        "PYTHONPATH": f"{place}:{ROOT / 'tests'}",
        "PATH": "/usr/bin:/bin",
        **{name: os.environ[name] for name in _OF_OPENGL if name in os.environ},
    }
    done = subprocess.run(
        [sys.executable, "-c", f"from pathlib import Path\n{script}"],
        cwd=place,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]


def _said(addition: str) -> str:
    """The entry of the list."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^- \*\*{addition}\*\*: .*$", text, re.MULTILINE)
    return str(found)


@pytest.mark.thorough("the catalogues' own tests; this one copies the tree for each addition")
@pytest.mark.parametrize(
    ("addition", "edits", "arrives"),
    [("a metric", METRIC, METRIC_ARRIVES), ("a condition", CONDITION, CONDITION_ARRIVES)],
)
def test_an_addition_takes_what_the_list_says(
    addition: str, edits: Edits, arrives: str, tmp_path: Path
) -> None:
    said = _said(addition)
    for name, _, _ in edits:
        generic = name.replace("flipset", "<family>")
        assert generic in said or Path(name).name in said, generic
    _in_a_copy(edits, arrives, tmp_path)


def test_the_worked_condition_is_what_is_shown_and_no_more(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```(?:python|yml)\n +# (\S+)\n(.*?) +```", text, re.DOTALL)
    assert [name for name, _ in blocks] == [name for name, _, _ in WORKED]
    for (name, code), (_, piece, _) in zip(blocks, WORKED, strict=True):
        assert " ".join(piece.split()) in " ".join(code.split())
        shown = [line.strip() for line in code.splitlines()]
        held = [line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
        assert any(held[at : at + len(shown)] == shown for at in range(len(held))), code
    for name in re.findall(r"`(test_\w+)`", text.partition("from the idea to the table")[2]):
        assert f"def {name}(" in (OF_CONTINGENCY / "test_contingency_moving.py").read_text()
    _in_a_copy(WORKED, WORKED_IS_GONE, tmp_path)


def test_a_family_is_a_folder(tmp_path: Path) -> None:
    """Laid out as a family in a package of its own is, and found by being there."""
    _copied(tmp_path)
    _family_of_its_own(tmp_path)
    said = _said("a family")
    for path in sorted((tmp_path / "mirror_ray" / "families" / "letters").glob("*.*")):
        assert path.name == "__init__.py" or path.name in said, path.name
    _in_a_copy((), FAMILY_ARRIVES, tmp_path)


@pytest.mark.thorough("a family is a folder, and is named in its own folder alone")
def test_the_program_works_without_the_folders_of_two_families(tmp_path: Path) -> None:
    _copied(tmp_path)
    for family in DROPPED:
        rmtree(tmp_path / "mirror_ray" / "families" / family)
    for sweep in (tmp_path / "sweeps").rglob("*.yaml"):
        if re.search(rf"family: ({'|'.join(DROPPED)})\b", sweep.read_text(encoding="utf-8")):
            sweep.unlink()
    _in_a_copy((), WITHOUT_THEM, tmp_path)


def test_a_family_is_named_in_its_own_folder_alone() -> None:
    names = re.compile(
        r"[\"'.](?:selfid|flipset|mirrorqa|textmirror|metacog|marktest|contingency|dyad)\b"
    )
    own = re.compile(r"^mirror_ray/(families|integrations|sweeps|analysis)/")
    naming = {
        path.relative_to(ROOT).as_posix()
        for folder in ("analysis", "mirror_ray")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".py", ".sql")
        and not own.search(path.relative_to(ROOT).as_posix())
        and names.search(path.read_text(encoding="utf-8"))
    }
    assert naming == set()
