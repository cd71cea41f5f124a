"""What CONTRIBUTING says an addition takes is all that it takes: made in a copy, it arrives."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree

import pytest

ROOT = Path(__file__).parents[2]

Edits = Sequence[tuple[str, str, str]]
"""A file, a text in it, which stands there once, and what takes its place."""

METRIC: Edits = (
    (
        "mirror_ray/families/flipset/sql/2_episode/flipset.sql",
        "fail, null) as fail_of_errors",
        "fail, null) as fail_of_errors,\n    (answer = 'A')::integer as hasty",
    ),
    (
        "mirror_ray/families/flipset/metrics.py",
        "    ),\n    unit=",
        '        Metric("hasty", "Share of A.", label="HASTY", direction=-1),\n    ),\n    unit=',
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
        "mirror_ray/families/selfid/conditions.py",
        '        "E5": Condition(',
        '        "E6": Condition("E3 and E4", lie=True, others=True),\n        "E5": Condition(',
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
        "mirror_ray/families/contingency/conditions.py",
        '        "late": Condition(\n'
        '            "a mirror that shows the last step, beside two who move by themselves",\n'
        '            (Image("last"), _ELSE, _ELSE),\n'
        "        ),\n",
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
FAMILY: Edits = (("mirror_ray/contract/columns.py", '"contingency")', '"contingency", "letters")'),)
FAMILYS_OWN = {
    "mirror_ray/columns/letters.py": """
import pyarrow as pa
STEP_COLUMNS = pa.schema([pa.field("answer", pa.string())])
EPISODE_COLUMNS = pa.schema([pa.field("word", pa.string()), pa.field("length", pa.int32())])
FACT_COLUMNS = ()
""",
    "mirror_ray/metrics/letters.py": """
from mirror_ray.contract.metric import FamilyMetrics, Metric
METRICS = FamilyMetrics(
    (Metric("accuracy", "Share of words.", label="ACC"), Metric("copied", "Share.", direction=-1)),
    unit="word",
)
""",
    "mirror_ray/tasks/letters/__init__.py": """
from mirror_ray.contract.columns.letters import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.contract.family import Axis, Family, Scoring, scene_of
from mirror_ray.contract.registry.letters.play import CONDITIONS, max_asks, play
FAMILY = Family(
    name="letters", conditions=CONDITIONS, variants={"plain": "the question alone"},
    axes={"length": Axis(5, "letters of the word", minimum=3, maximum=12)},
    step_columns=STEP_COLUMNS, episode_columns=EPISODE_COLUMNS, fact_columns=FACT_COLUMNS,
    play=play, max_asks=max_asks, sampled_by=("letters-reader", "letters-copier"), draws=False,
    scoring=Scoring("accuracy", scene_of),
)
""",
    "mirror_ray/agents/letters/__init__.py": "",
}
FAMILY_ARRIVES = """
from mirror_ray.analysis.report.glossary import TERMS
from mirror_ray.cli import main
from mirror_ray.contract.metrics import METRICS
assert TERMS["ACC"] == "Share of words."
assert "letters" in METRICS
assert main(["check-family", "letters"]) == 0
"""


def _family_of_its_own(place: Path) -> None:
    """The template's, as modules of this package."""
    for name, text in FAMILYS_OWN.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    play = (TEMPLATE / "play.py").read_text(encoding="utf-8")
    (place / "mirror_ray/tasks/letters/play.py").write_text(play, encoding="utf-8")
    agents = (TEMPLATE / "agents.py").read_text(encoding="utf-8")
    agents = agents.replace("from mirror_ray.agents import", "from mirror_ray.agents.prompt import")
    agents += 'AGENTS = {"letters-reader": reader, "letters-copier": copier}\n'
    (place / "mirror_ray/agents/letters/agents.py").write_text(agents, encoding="utf-8")
    sql = "sql/2_episode/letters.sql"
    text = (TEMPLATE / sql).read_text(encoding="utf-8")
    (place / "analysis" / sql).write_text(text, encoding="utf-8")


def _copied(place: Path) -> None:
    for name in ("mirror_ray", "analysis", "sweeps", "sim_assets"):
        copytree(ROOT / name, place / name, symlinks=True)


def _in_a_copy(edits: Edits, script: str, place: Path) -> None:
    if not (place / "mirror_ray").exists():
        _copied(place)
    for name, old, new in edits:
        file = place / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, name
        file.write_text(text.replace(old, new), encoding="utf-8")
    environment = {"PYTHONPATH": f"{place}:{ROOT / 'tests'}", "PATH": "/usr/bin:/bin"}
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
    [
        ("a metric", METRIC, METRIC_ARRIVES),
        ("a condition", CONDITION, CONDITION_ARRIVES),
    ],
)
def test_an_addition_takes_what_the_list_says(
    addition: str, edits: Edits, arrives: str, tmp_path: Path
) -> None:
    said = _said(addition)
    for name, _, _ in edits:
        generic = name.replace("flipset", "<family>")
        assert generic in said or Path(name).stem.upper() in said, generic
    _in_a_copy(edits, arrives, tmp_path)


def test_the_worked_condition_is_what_is_shown_and_no_more(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n +# (\S+)\n(.*?) +```", text, re.DOTALL)
    assert [name for name, _ in blocks] == [name for name, _, _ in WORKED]
    for (name, code), (_, piece, _) in zip(blocks, WORKED, strict=True):
        assert " ".join(piece.split()) in " ".join(code.split())
        shown = [line.strip() for line in code.splitlines()]
        held = [line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
        assert any(held[at : at + len(shown)] == shown for at in range(len(held))), code
    for name in re.findall(r"`(test_\w+)`", text.partition("from the idea to the table")[2]):
        assert f"def {name}(" in (ROOT / "tests/families/contingency/test_contingency_moving.py").read_text()
    _in_a_copy(WORKED, WORKED_IS_GONE, tmp_path)


def test_a_family_is_its_own_modules_and_one_name(tmp_path: Path) -> None:
    _copied(tmp_path)
    _family_of_its_own(tmp_path)
    for name in FAMILYS_OWN:
        assert name.rpartition("letters")[0] in _said("a family")
    _in_a_copy(FAMILY, FAMILY_ARRIVES, tmp_path)


def test_a_family_is_named_in_one_shared_place() -> None:
    """Else the one edit that the list names would not be all."""
    assert "FAMILY_NAMES" in _said("a family")
    names = re.compile(r"[\"'.](?:flipset|textmirror)\b")
    own = re.compile(r"flipset|textmirror|marktest|tasks/metacog|world/tabletop|sql/9_paper")
    channel = {"analysis/sql/2_episode/stakes.sql", "analysis/sql/3_metric/sureness_answers.sql"}
    naming = {
        path.relative_to(ROOT).as_posix()
        for folder in ("analysis", "mirror_ray")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".py", ".sql")
        and not own.search(path.relative_to(ROOT).as_posix())
        and names.search(path.read_text(encoding="utf-8"))
    }
    assert naming - channel == {
        "mirror_ray/contract/columns.py",
        # textmirror's pairs are tables of another form; the channel is three families' alone.
        "mirror_ray/families/textmirror/tables.py",
        "analysis/summary.py",
        "analysis/report/sections/sureness.py",
    }
