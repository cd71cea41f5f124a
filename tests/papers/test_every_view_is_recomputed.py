"""Every metric and paper view of the five families is recomputed by a test, or says why not."""

import re
from pathlib import Path
from types import MappingProxyType

import pytest

from mirror_ray.analysis.sql_files import sql_files

HERE = Path(__file__).parent
FAMILIES = ("selfid", "flipset", "mirrorqa", "textmirror", "metacog")
OTHERS = ("marktest", "contingency", "dyad")

RECOMPUTED = MappingProxyType(
    {
        "selfid::every_metric_is_the_papers": "metric.selfid paper.selfid",
        "selfid::stored_intervals_are_bca_over_scenes": "metric.selfid_bca",
        "selfid::where_episodes_go_wrong": "metric.selfid_process",
        "selfid::paired_comparisons": "contrast.pairs",
        "selfid::the_design_counts_what_was_played": "paper.selfid_design",
        "flipset::every_metric_and_its_interval": "metric.flipset paper.flipset",
        "flipset::unread_replies_bound_an_estimate": (
            "metric.flipset_read metric.flipset_bounds metric.replies metric.estimates"
        ),
        "flipset::stored_intervals_are_bca_over_strings": "metric.flipset_bca",
        "flipset::shares_by_class_and_by_layout": "metric.flipset_classes metric.flipset_layouts",
        "flipset::shares_by_position": "metric.flipset_positions",
        "flipset_models::accuracy_against_chance": (
            "metric.flipset_chance metric.flipset_chance_models"
        ),
        "flipset_models::the_compositional_deficit": (
            "metric.flipset_composition metric.flipset_composition_models"
        ),
        "flipset_models::correlations_and_families_over_models": (
            "metric.flipset_correlations metric.flipset_families"
        ),
        "flipset::the_design_counts_what_was_played": "paper.flipset_design paper.design",
        "mirrorqa::every_metric_is_the_sources": "metric.mirrorqa paper.mirrorqa",
        "mirrorqa::each_class_and_each_orientation": (
            "metric.mirrorqa_classes metric.mirrorqa_orientation"
        ),
        "mirrorqa::each_position": "metric.mirrorqa_positions",
        "mirrorqa::the_cost_of_the_mirror": "metric.mirrorqa_reflection",
        "mirrorqa::accuracy_by_what_makes_a_picture_hard": "metric.mirrorqa_views",
        "mirrorqa::the_design_counts_what_was_played": "paper.mirrorqa_design",
        "mirrorqa::the_mean_of_the_runs": "metric.mirrorqa_runs",
        "sureness::measures_of_sureness": "summary.sureness",
        "textmirror::every_metric_and_its_interval": "metric.textmirror",
        "textmirror::pairs_of_author_and_editor": (
            "metric.textmirror_pairs paper.textmirror_recognition paper.textmirror_authorship "
            "paper.textmirror_sentences"
        ),
        "textmirror::places_and_other_questions": (
            "metric.textmirror_places paper.textmirror_questions"
        ),
        "textmirror::readers_above_chance": (
            "metric.textmirror_above_chance paper.textmirror_readers"
        ),
        "textmirror::accuracy_corrected_for_habits": "metric.textmirror_corrected",
        "textmirror_texts::positions_revised_and_named": (
            "metric.textmirror_positions paper.textmirror_positions"
        ),
        "textmirror_texts::the_randomisation_of_positions": (
            "metric.textmirror_randomisation paper.textmirror_randomisation"
        ),
        "textmirror::readers_against_authors": "metric.textmirror_readers",
        "textmirror_texts::lengths_of_sentences": (
            "metric.textmirror_lengths paper.textmirror_lengths"
        ),
        "textmirror_texts::retention_revisions_names_and_temperatures": (
            "metric.textmirror_retention metric.textmirror_revisions metric.textmirror_named "
            "paper.textmirror_temperatures"
        ),
        "textmirror_texts::the_reasons_of_step_4": "metric.textmirror_reasons",
        "textmirror_texts::foreign_against_own_sentences": "metric.textmirror_stratified",
        "metacog::every_metric_of_a_model": "summary.metacog",
        "metacog::tables_of_experiment_1": (
            "metric.metacog_domains metric.metacog_domains_weak metric.metacog_convergence "
            "metric.metacog_reliability"
        ),
        "metacog::convergence_without_a_channel": "paper.metacog_table_16",
        "metacog::proper_scores_and_formats": "paper.metacog_scoring paper.metacog_table_15",
        "metacog::tables_of_experiments_2_to_6": (
            "metric.metacog_domains_transfer metric.metacog_feedback metric.metacog_ecosystem "
            "metric.metacog_attacks metric.metacog_composition paper.metacog_table_6 "
            "paper.metacog_table_8"
        ),
        "metacog::table_4_with_cfr_and_kdi_by_both_definitions": "paper.metacog_table_4",
        "metacog_outcomes::outcomes_of_experiment_9": (
            "agency.metacog_parts_outcomes agency.metacog_parts_outcomes_effects"
        ),
        "metacog_outcomes::tables_9_and_12": "paper.metacog_table_9 paper.metacog_table_12",
        "metacog_outcomes::tables_14_and_17_to_19": (
            "paper.metacog_table_14 paper.metacog_table_17 paper.metacog_table_18 "
            "paper.metacog_table_19"
        ),
        "metacog_models::labs_and_figure_6": "paper.metacog_labs paper.metacog_figure_6",
        "metacog_models::scaling_and_temperature": (
            "summary.metacog_scaling summary.metacog_temperature"
        ),
        "metacog_models::stored_intervals_and_table_7": (
            "summary.metacog_intervals paper.metacog_table_7"
        ),
        "metacog_models::staircases": "metric.metacog_staircase",
        "metacog_routing::routing_of_single_parts": "paper.metacog_table_10 paper.metacog_table_11",
        "metacog_routing::agreement_of_judge_and_rules": "metric.metacog_judged",
    }
)

SAME_TEXT = re.compile(r"metric\.(?:selfid|mirrorqa|textmirror|metacog)_(?:read|bounds|bca)")
"""One file makes these views for every family: FlipSet's are recomputed."""
NO_RESULT = MappingProxyType(
    {
        "metric.catalogue": "names and meanings",
        "metric.settings": "labels",
        "metric.people": "rows of episodes, compared with people in tests/analysis/test_people.py",
        "metric.scores": "the same scores in one long table",
        "metric.answers": "texts",
        "metric.sureness_answers": "one row per answer; counted in tests/analysis/test_sureness.py",
        "metric.servers": "model servers of a run",
        "metric.server_timeline": "model servers of a run",
        "metric.settled": "decisions of `until`; tests/stopping",
        "metric.metacog": "the text of metric.flipset, whose metrics summary.metacog has",
        "metric.mirrorqa_quirks": "counts of liberties in reading the public rows",
        "metric.selfid_branch": "ours: tests/families/selfid/test_selfid_branches.py",
        "metric.selfid_claims": "ours: tests/families/selfid/test_selfid_claims.py",
        "metric.selfid_doses": "ours: tests/families/selfid/test_psychometric.py",
        "metric.selfid_twins": "ours: tests/families/selfid/test_selfid_twin_tables.py",
        **{
            f"metric.{family}_{name}": reason
            for family in FAMILIES
            for name, reason in (
                ("answers", "texts"),
                ("settings", "labels"),
                ("violations", "no row in a sound run"),
                ("sureness_answers", "one row per answer"),
            )
        },
    }
)


def _views() -> set[str]:
    files = (file for file in sql_files() if file.layer in ("metric", "paper"))
    return {file.view for file in files if file.family not in OTHERS and "{" not in file.name}


def test_every_view_is_recomputed_or_says_why_not() -> None:
    recomputed = {view for views in RECOMPUTED.values() for view in views.split()}
    views = _views()
    generic = {view for view in views if SAME_TEXT.fullmatch(view)}
    assert sorted(views - recomputed - NO_RESULT.keys() - generic) == []
    every = {file.view for file in sql_files()}
    assert recomputed <= every
    assert not recomputed & NO_RESULT.keys()
    for reason in NO_RESULT.values():
        for path in re.findall(r"tests/[\w/.]+\w", reason):
            assert (HERE.parents[1] / path).exists(), path


@pytest.mark.parametrize("test", sorted(RECOMPUTED))
def test_the_test_reads_the_view(test: str) -> None:
    name, _, function = test.partition("::")
    text = (HERE / f"test_{name}_recomputed.py").read_text()
    assert f"def test_{function}(" in text
    for view in RECOMPUTED[test].split():
        # A parametrised view has the last part of its name; paper.design unites all families'.
        assert view in text or f'"{view.rpartition("_")[2]}"' in text or view == "paper.design"


def test_recomputation_reads_no_code_that_it_checks() -> None:
    """Only the run is written and opened by the product: formulas and scores are the tests' own."""
    allowed = (
        "mirror_ray.analysis.bootstrap import bootstrap_run",
        "mirror_ray.analysis.warehouse import open_run",
        "mirror_ray.families.metacog.intervals import write_intervals",
    )
    paths = [
        *HERE.glob("test_[!e]*_recomputed.py"),
        *(HERE.parent / "support/recomputed").glob("*.py"),
    ]
    assert len(paths) > 8
    for path in paths:
        for line in re.findall(r"^from (mirror_ray\S* import .*)$", path.read_text(), re.M):
            assert line in allowed, f"{path.name}: {line}"
