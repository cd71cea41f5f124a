"""Prompt sets are an axis of the label: curves, paired tests, a summary and a figure."""

from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report import replies as wording
from mirror_ray.analysis.report.across.ablations import section
from mirror_ray.analysis.report.replies import prompt_wording, replies_of
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.metrics import METRICS
from support.analysis.contingency_runs import Watched, write_contingency_run
from support.analysis.textmirror_runs import Answered, write_textmirror_run

SETS = {"plain": 6, "plain+prompts=mine-1f5ab33e": 3, "plain+prompts=other-0a0b0c0d": 1}
"""Variant → right answers in eight scenes."""


@pytest.fixture
def run(tmp_path: Path) -> str:
    write_contingency_run(
        tmp_path,
        [
            Watched(("unsure", "left" if seed < right else "right"), variant=label, scene_seed=seed)
            for label, right in SETS.items()
            for seed in range(8)
        ],
    )
    compare_run(str(tmp_path), draws=100)
    return str(tmp_path)


def test_a_metric_by_prompt_set(run: str) -> None:
    with open_run(run, hold=True) as connection:
        (row,) = Reading(connection).rows(
            "from ablation.curves_prompts where metric = 'correct' and family = 'contingency'"
        )
        curves = Reading(connection).rows(
            "select value, estimate, difference from ablation.curves "
            "where metric = 'correct' and axis = 'prompts' order by value"
        )
    assert (row["n_sets"], row["n_least"], row["own_prompts"]) == (3, 8, 6 / 8)
    assert (row["lowest_set"], row["lowest"]) == ("other-0a0b0c0d", 1 / 8)
    assert (row["highest_set"], row["highest"], row["spread"]) == ("default", 6 / 8, 5 / 8)
    assert row["label"] == "plain"
    assert [curve["value"] for curve in curves] == ["default", "mine-1f5ab33e", "other-0a0b0c0d"]
    assert [curve["difference"] for curve in curves] == [None, -3 / 8, -5 / 8]


def test_the_report_has_a_figure_of_it_and_says_whose_words_were_sent(
    run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = replace(METRICS["contingency"], our_words="this task")
    with open_run(run, hold=True) as connection:
        found = section(Reading(connection))
        monkeypatch.setattr(wording, "METRICS", {"contingency": ours})
        said = prompt_wording(Reading(connection), "contingency")
        with_note = replies_of(Reading(connection), "contingency").sentence
    assert found is not None
    assert "ablation_contingency_prompts" in {part.name for part in found.parts}
    sets = "our wording, prompt set mine-1f5ab33e, prompt set other-0a0b0c0d"
    assert said == f" Prompts of this task: {sets}."
    assert with_note.endswith(said.strip())


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("paper", ""),
        ("revealed", "our wording"),
        ("revealed+prompts=published-1f5ab33e", "prompt set published-1f5ab33e"),
    ],
)
def test_the_published_set_is_not_our_wording(tmp_path: Path, variant: str, said: str) -> None:
    with open_run(
        write_textmirror_run(tmp_path, [Answered(variant=variant)]), hold=True
    ) as connection:
        note = prompt_wording(Reading(connection), "textmirror")
    words = f" Prompts of the variants, the baseline and step 4: {said}."
    assert note == (words if said else "")


def test_the_axis_is_absent_where_no_set_was_sent(tmp_path: Path) -> None:
    write_contingency_run(tmp_path, [Watched(("left",))])
    with open_run(str(tmp_path), hold=True) as connection:
        assert Reading(connection).rows("from metric.settings where axis = 'prompts'") == []
