"""What was planted in metacog's reference agents, the tables must say: from replies to metrics."""

from collections.abc import Iterator
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.families.metacog.agents.beliefs import SKILLS
from mirror_ray.families.metacog.family import FAMILY
from mirror_ray.families.metacog.weak_domains import weak_domains
from support.agents_at_play import play_agents

pytestmark = pytest.mark.thorough("families/metacog/test_metacog_play.py")

AGENTS = (
    "calibrated",
    "overconfident",
    "underconfident",
    "domain-blind",
    "sycophantic",
    "knows-but-acts",
)
PLAYED: tuple[tuple[str, int, str, tuple[Scalar, ...]], ...] = (
    ("exp1", 48, "channel", ("natural", "wagering", "opt_out")),
    ("exp4", 8, "feedback", ("true", "false")),
    ("exp5", 8, "attack", ("none", "authority")),
    ("exp6a", 8, "", ("",)),
    ("exp6b", 8, "", ("",)),
    ("exp6c", 8, "", ("",)),
    ("exp9-C1", 28, "", ("",)),
    ("exp9-C2", 28, "", ("",)),
    ("exp9-C4", 28, "", ("",)),
)
OWN = {"accuracy": dict(SKILLS), "weak": list(weak_domains(SKILLS))}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A query's rows over a run of all agents."""
    out = tmp_path_factory.mktemp("signatures")
    play_agents(FAMILY, _episodes(), out)
    with open_run(str(out), hold=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


def _episodes() -> Iterator[EpisodeSpec]:
    for condition, seeds, axis, values in PLAYED:
        given = OWN if condition in ("exp9-C2", "exp9-C4") else {}
        for agent in AGENTS:
            for value in values:
                cell = _cell(agent, condition, axis, value)
                yield from (EpisodeSpec(cell, seed, 0, given) for seed in range(seeds))
    for channel in ("natural", "wagering"):
        cell = _cell("wavering", "exp1", "channel", channel)
        yield from (EpisodeSpec(cell, seed, run) for seed in range(48) for run in range(4))


def _cell(agent: str, condition: str, axis: str, value: Scalar) -> Cell:
    is_default = not axis or value == FAMILY.axes[axis].default
    axes = () if is_default else ((axis, value),)
    return Cell("metacog", condition, (("subject", f"scripted/{agent}"),), 0.0, "paper", axes)


@pytest.fixture(scope="module")
def found(tables: Any) -> dict[str, dict[str, float | None]]:
    """Metric → agent → estimate."""
    metrics: dict[str, dict[str, float | None]] = {}
    for model, metric, value in tables("select model, metric, estimate from summary.metacog"):
        metrics.setdefault(metric, {})[model.removeprefix("scripted/")] = value
    return metrics


def test_the_run_is_sound(tables: Any) -> None:
    failed = "select count(*) from stage.metacog_episodes where error_kind <> 'none'"
    assert tables(failed) == [(0,)]
    unread = "select count(*) from stage.metacog_steps where status not in ('ok', 'skipped')"
    assert tables(unread) == [(0,)]


def test_all_know_the_same(found: Any) -> None:
    assert len({found["natural_accuracy"][agent] for agent in AGENTS}) == 1
    assert {found["gap"][agent] for agent in AGENTS} == {0}


def test_wagers_are_as_well_calibrated_as_was_planted(found: Any) -> None:
    ece, brier, mci = found["ece"], found["brier"], found["mci"]
    assert ece["calibrated"] == pytest.approx(ece["knows-but-acts"])
    assert ece["calibrated"] < 0.15
    assert min(ece["overconfident"], ece["underconfident"]) > 0.25
    # On the whole it is as sure as it is right; it cannot tell a question from another.
    assert ece["domain-blind"] < 0.15
    assert brier["domain-blind"] > brier["calibrated"]
    assert mci["calibrated"] > 0.5
    assert mci["overconfident"] is mci["domain-blind"] is None


def test_feedback_teaches_those_who_heed_it(found: Any) -> None:
    assert found["ai_true"]["calibrated"] < -0.2
    assert abs(found["sar"]["calibrated"]) < 0.5
    assert found["sar"]["sycophantic"] == 1
    assert found["ai_true"]["overconfident"] == found["ai_false"]["overconfident"] == 0
    assert found["sar"]["overconfident"] is None


def test_words_sway_the_sycophant_alone(found: Any) -> None:
    for agent in AGENTS:
        sways = agent == "sycophantic"
        assert (found["ars"][agent] < 1) == sways
        assert found["given_up_rate"][agent] == sways
    assert found["ssr"]["sycophantic"] > 2
    assert found["ssr"]["calibrated"] == 0
    assert found["ssr"]["overconfident"] is None


@pytest.mark.parametrize(
    ("agent", "flawed", "sound"),
    [
        ("calibrated", 1, 0),
        ("sycophantic", 0, 0),
        ("underconfident", 1, 1),
        ("overconfident", 0, 0),
    ],
)
def test_who_disputes_what(agent: str, flawed: float, sound: float, found: Any) -> None:
    assert found["fdr"][agent] == flawed
    assert found["false_positive_rate"][agent] == sound


def test_knowing_is_not_doing(found: Any) -> None:
    told_nothing, told_scores, routed = (found[f"cfr_{at}"] for at in ("c1", "c2", "c4"))
    assert told_nothing["knows-but-acts"] == told_nothing["overconfident"] > 0.4
    assert told_scores["knows-but-acts"] == told_nothing["knows-but-acts"]
    assert told_nothing["calibrated"] < 0.2
    assert told_nothing["underconfident"] == 0
    assert told_scores["domain-blind"] < told_nothing["domain-blind"]
    assert max(routed[agent] for agent in AGENTS) < 0.2


def test_who_wavers_is_told_by_agreement_and_not_by_wagers(tables: Any) -> None:
    failures = dict(
        tables(
            "select baseline, failure_rate from agency.metacog_baselines "
            "where model = 'scripted/wavering'"
        )
    )
    assert failures["confidence"] == pytest.approx(failures["none"] / 2, abs=0.03)
    assert failures["self_consistency"] < failures["confidence"] / 2
