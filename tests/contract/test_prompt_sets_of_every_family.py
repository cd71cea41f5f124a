"""Two prompt sets of every family are played, compared, and shown."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from mirror_ray.analysis.compare import compare
from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across.ablations import section
from mirror_ray.analysis.run_differences import run_differences
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.packages import FAMILY_NAMES
from mirror_ray.contract.prompt_texts import default_texts
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.plain_yaml import write_yaml
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from support.agents_at_play import play_agents


@dataclass(frozen=True)
class _Played:
    """A small stage and a text of its prompts that its agent does not depend on.

    Args:
        metric: of `ablation.curves`.
    """

    condition: str
    agent: str
    key: str
    metric: str
    more: str = ""


PLAYED = {
    "contingency": _Played("match", "contingency-tester", "task.left", "correct"),
    "dyad": _Played("mirror", "self-finder", "task.question", "correct", "max_steps: 3"),
    "flipset": _Played("L2", "rotator", "paper.asked", "accuracy"),
    "marktest": _Played("marked", "mark-observer", "task.question", "passed"),
    "metacog": _Played("exp1", "calibrated", "channels.wagering", "accuracy", "channel: wagering"),
    "mirrorqa": _Played("sim", "viewer-frame", "question.direct", "accuracy"),
    "selfid": _Played("E1", "observer", "english.closing", "tsa", "max_steps: 3"),
    "textmirror": _Played("story", "ornate", "stages.story", "usable"),
}


def plan_of(family: str, folder: Path, prompts: str) -> Plan:
    one = PLAYED[family]
    file, _, key = one.key.partition(".")
    text = default_texts(family).by_key[one.key]
    (folder / "mine.yaml").write_text(write_yaml({file: {key: f"{text}\n"}}))
    more = f"    {one.more}\n" if one.more else ""
    (folder / "sweep.yaml").write_text(
        f"models: [scripted/{one.agent}]\nstages:\n  - family: {family}\n"
        f"    conditions: [{one.condition}]\n    seeds: 2\n    prompts: {prompts}\n{more}"
    )
    return load_plan(str(folder / "sweep.yaml"))


IN_MAKE_TEST = ("textmirror",)


@pytest.mark.parametrize(
    "family",
    [
        pytest.param(
            family,
            marks=()
            if family in IN_MAKE_TEST
            else pytest.mark.thorough("the same test of " + ", ".join(IN_MAKE_TEST)),
        )
        for family in FAMILY_NAMES
    ],
)
def test_two_sets_are_played_compared_and_shown(family: str, tmp_path: Path) -> None:
    plan = plan_of(family, tmp_path, "[default, mine.yaml]")
    both = tmp_path / "both"
    play_agents(FAMILIES[family], plan.episodes, both)
    compare_run(str(both), draws=50)
    metric = PLAYED[family].metric
    with open_run(str(both), hold=True) as connection:
        run = Reading(connection)
        rows = run.rows(f"from ablation.curves_prompts where metric = '{metric}'")
        shown = section(run)
    assert [(row["family"], row["n_sets"], row["n_least"]) for row in rows] == [(family, 2, 2)]
    assert shown is not None
    assert f"ablation_{family}_prompts" in {part.name for part in shown.parts}

    own, mine = (
        [one for one in plan.episodes if ("prompts" in one.cell.variant_label) is by_set]
        for by_set in (False, True)
    )
    for name, specs in (("own", own), ("mine", mine)):
        play_agents(FAMILIES[family], specs, tmp_path / name)
    with (
        open_run(str(tmp_path / "own"), hold=True) as a,
        open_run(str(tmp_path / "mine"), hold=True) as b,
    ):
        found = compare(a, b, [metric])
        differs = run_differences(a, b, [{}, {}])
    (cell,) = found.cells
    assert (cell.variant, cell.n) == (own[0].cell.variant_label, 2)
    assert (found.only_a, found.only_b) == ((), ())
    assert any(line.startswith(f"words of {family}") for line in differs)
