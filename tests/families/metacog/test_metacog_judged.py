"""Judges' verdicts reach the metrics that rest on accuracy, and planted errors are recovered."""

from pathlib import Path
from typing import Any

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.section import ReportTable
from mirror_ray.analysis.report.section_file import section_of
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.types import Reply, Request
from mirror_ray.families.metacog.agents.judge import ERROR_RATE, UNREADABLE_RATE
from mirror_ray.sweep.earlier import with_stages_that_follow
from mirror_ray.sweep.load import load_plan
from support.staged_run import agents_reply, play_stages, staged_plan

M = "metacog"
JUDGED = ("judged_id", "judged_ask", "judged_part", "rubric")
KNOWN = {"family": M, "conditions": ["exp1"], "seeds": 96, "channel": ["natural", "wagering"]}
PREMISES = {"family": M, "conditions": ["exp6b"], "seeds": 60}
PARTS = {"family": M, "conditions": ["exp9-C3"], "seeds": 4, "matching": "judge"}


def judged_by(*judges: str, **settings: str) -> dict[str, Any]:
    return {"family": M, "conditions": ["judge"], "judge": list(judges), **settings}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two agents, judged by one without error and by one with planted errors; then experiment 9."""
    out = tmp_path_factory.mktemp("judged") / "run"
    judges = judged_by("scripted/judge", "scripted/erring-judge")
    models = ["scripted/calibrated", "scripted/underconfident"]
    play_stages(staged_plan(out, models, KNOWN, PREMISES, judges, PARTS))
    return str(out)


def opened(run: str, **variables: str) -> duckdb.DuckDBPyConnection:
    return open_run(run, variables=variables)


def one(run: str, query: str, **variables: str) -> tuple[Any, ...]:
    with opened(run, **variables) as connection:
        [row] = connection.execute(query).fetchall()
    return row


@pytest.mark.thorough("the judges below that differ from the rules")
def test_planted_errors_are_within_their_intervals(run: str) -> None:
    wrong, n, unread, total = one(
        run,
        "select count(*) filter (not is_same), count(is_same),"
        " count(*) filter (verdict is null), count(*)"
        " from episode.metacog_readings_judged where judge = 'scripted/erring-judge'",
    )
    planted = ERROR_RATE / (1 - UNREADABLE_RATE)
    for hits, of, rate in ((wrong, n, planted), (unread, total, UNREADABLE_RATE)):
        low, high = one(
            run, f"select macro.wilson_low({hits}, {of}), macro.wilson_high({hits}, {of})"
        )
        assert low <= rate <= high
    assert one(
        run,
        "select min(agreement), min(kappa), sum(n_unread) from metric.metacog_judged"
        " where judge = 'scripted/judge' and experiment = 'exp1'",
    ) == (1, 1, 0)


def test_a_judge_without_error_changes_no_accuracy(run: str) -> None:
    query = (
        "select list((cell_id, scene_seed, accuracy, accuracy_a, accuracy_b, premise_flagged)"
        " order by cell_id, scene_seed) from episode.metacog where condition <> 'exp9-C3'"
    )
    ruled = one(run, query, matching="grammar")
    assert one(run, query, matching="judge", judge="scripted/judge") == ruled


def test_free_answers_are_the_judge_s_and_null_where_it_says_nothing(run: str) -> None:
    mixed = one(
        run,
        """
        select
            count(*) filter (accuracy is distinct from case verdict
                when 'CORRECT' then 1 when 'INCORRECT' then 0 end),
            count(*) filter (accuracy is null), count(*)
        from episode.metacog
        inner join episode.metacog_readings_judged as judged using (episode_id)
        where metacog.experiment = 'exp1' and judge = getvariable('judge')
        """,
        matching="judge",
        judge="scripted/erring-judge",
    )
    assert mixed[0] == 0
    assert 0 < mixed[1] < mixed[2]


def test_judges_that_differ_leave_it_open(run: str) -> None:
    differ, of_them_open = one(
        run,
        """
        with verdicts as (
            select episode_id, list(verdict order by judge) as said
            from episode.metacog_readings_judged where experiment = 'exp1' group by episode_id
        )
        select count(*), count(*) filter (accuracy is null)
        from verdicts inner join episode.metacog using (episode_id)
        where said[1] is distinct from said[2]
        """,
        matching="judge",
    )
    assert differ == of_them_open > 0


def test_a_request_is_taken_as_the_judge_says_unless_rules_are_named(run: str) -> None:
    found = [
        one(
            run,
            "select count(*) filter (premise_reply is null), count(*) from episode.metacog"
            " where experiment = 'exp6b'",
            **variables,
        )
        for variables in ({"judge": "scripted/erring-judge"}, {"matching": "grammar"})
    ]
    assert found[0][0] > 0
    assert found[1][0] == 0


def test_a_judge_is_none_of_the_models_that_are_compared(run: str) -> None:
    assert one(run, "select count(*) from episode.metacog where model like '%judge'") == (0,)
    assert one(run, "select count(distinct model) from stage.metacog_episodes") == (4,)


def test_a_part_of_a_run_keeps_what_judges_said_of_it(run: str) -> None:
    part = "model = 'scripted/calibrated'"
    query = (
        "select count(*), count(verdict) from episode.metacog_readings_judged"
        " where model = 'scripted/calibrated'"
    )
    with open_run(run, where=part) as connection:
        assert connection.execute(query).fetchone() == one(run, query)


def test_the_report_shows_who_read(run: str) -> None:
    with open_run(run) as connection:
        found = section_of("mirror_ray.families.metacog.sections.readings")(Reading(connection))
    assert found is not None
    assert {part.name for part in found.parts} == {"metacog_judged", "metacog_disagreements"}
    for part in found.parts:
        assert isinstance(part, ReportTable)
        for row in part.data.to_pylist():
            assert all(column.show(row).text for column in part.columns)


def test_experiment_9_follows_from_judged_answers(run: str) -> None:
    [heard] = one(
        run, "select count(*) from stage.metacog_episodes where prior_accuracy_a is not null"
    )
    assert heard == 8


def test_a_run_without_judges_has_null_where_they_are_asked_for(tmp_path: Path) -> None:
    plan = staged_plan(tmp_path / "run", ["scripted/calibrated"], {**KNOWN, "seeds": 24})
    play_stages(plan)
    query = (
        "select count(accuracy) filter (answer_kind = 'text'), count(accuracy) > 0"
        " from episode.metacog inner join stage.metacog_episodes using (episode_id)"
    )
    assert one(plan.sweep.out, query, matching="judge") == (0, True)


def test_all_keys_are_the_judges_where_they_were_given_all(tmp_path: Path) -> None:
    def silent(request: Request) -> Reply:
        if request.model == "scripted/judge":
            return Reply("No.")
        return agents_reply(request)

    judge = judged_by("scripted/judge", judged_keys="all", judged="exp1")
    models = ["scripted/calibrated"]
    plan = staged_plan(tmp_path / "run", models, {**KNOWN, "seeds": 8}, judge)
    play_stages(plan, silent)
    query = "select count(accuracy), count(*) from episode.metacog"
    assert one(plan.sweep.out, query, matching="judge") == (0, 16)
    assert one(plan.sweep.out, query) == (16, 16)


def test_what_the_rules_leave_unread_is_the_judges(tmp_path: Path) -> None:
    judged: list[str] = []

    def vague(request: Request) -> Reply:
        if request.model == "scripted/judge":
            judged.append(request.user)
            return Reply("VERDICT: CORRECT")
        if len(request.user) % 2:
            return Reply("It is what one would expect from what is said above.")
        return agents_reply(request)

    judge = judged_by("scripted/judge", judged_keys="unread", judged="exp1")
    plan = staged_plan(tmp_path / "run", ["scripted/calibrated"], {**KNOWN, "seeds": 8}, judge)
    play_stages(plan, vague)
    read, unread, known = one(
        plan.sweep.out,
        "select count(answer), count(*) filter (where status = 'unread'), count(correct) "
        "from stage.metacog_steps where phase = 'answer'",
    )
    assert read == known > 0
    assert len(judged) == unread > 0
    query = "select count(accuracy), count(*) from episode.metacog where condition = 'exp1'"
    assert one(plan.sweep.out, query) == (read, read + unread)
    assert one(plan.sweep.out, query, matching="judge") == (read + unread, read + unread)


def test_the_same_sweep_goes_on_where_it_was(run: str) -> None:
    """No judged reading is bought again: all that follow from the rows are those on record."""
    again = with_stages_that_follow(load_plan(f"{run}.yaml"))
    recorded = one(run, "select list(distinct episode_id) from stage.metacog_episodes")[0]
    assert {spec.episode_id for spec in again.episodes} == set(recorded)


def test_rows_of_before_there_were_judges(run: str, tmp_path: Path) -> None:
    new = {"key_kind", "key_kind_a", "key_kind_b", "verdict", *JUDGED}
    for path in Path(run).rglob("*.parquet"):
        if "family=metacog" in str(path):
            table = pq.read_table(path, partitioning=None)
            kept = table.filter(pc.field("condition") != "judge")
            older = tmp_path / path.relative_to(run)
            older.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(kept.drop_columns(sorted(new & set(table.column_names))), older)
    counts = "select count(accuracy), count(premise_reply) from episode.metacog"
    assert one(str(tmp_path), counts) == one(run, counts, matching="grammar")
    assert one(str(tmp_path), counts, matching="judge") == (0, 0)
