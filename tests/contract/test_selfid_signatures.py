"""What each reference agent is, the metrics must say; read through the analysis' own views."""

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.registry import FAMILIES
from support.agents_at_play import play_agents
from support.plans import plan_of, scripted, together

SCENES = 4


@pytest.fixture(scope="module")
def metrics(tmp_path_factory):
    """(condition, model, metric) → (n, estimate)."""
    out = tmp_path_factory.mktemp("agents") / "out"
    plan = together(
        plan_of(out, [scripted("observer")], conditions=("E1", "E2", "E3", "E4"), seeds=SCENES),
        plan_of(out, [scripted("gullible")], conditions=("E3",), seeds=SCENES),
        plan_of(
            out,
            [scripted("confabulator"), scripted("mute")],
            conditions=("E1",),
            seeds=3,
            axes=(("max_steps", 20),),
        ),
    )
    play_agents(FAMILIES["selfid"], plan.episodes, out)
    with open_run(str(out), hold=True) as connection:
        violations = connection.execute("select * from metric.selfid_violations").fetchall()
        rows = connection.execute(
            "select condition, model, metric, n, estimate from metric.selfid"
        ).fetchall()
    assert violations == []
    return {tuple(row[:3]): row[3:] for row in rows}


@pytest.mark.parametrize("condition", ["E1", "E4"])
def test_observer_finds_itself(metrics, condition):
    n, accuracy = metrics[condition, "scripted/observer", "tsa"]
    assert n == SCENES
    assert accuracy >= 0.75
    assert metrics[condition, "scripted/observer", "cr"][1] <= 0.25


def test_observer_without_a_mirror_is_at_chance(metrics):
    """Binomial(6, 1/3) is 6 once in 729."""
    assert metrics["E2", "scripted/observer", "tsa"][1] <= 5 / SCENES
    # The paper's tables print 0 where no mirror can be consulted.
    assert metrics["E2", "scripted/observer", "mcr"] == (SCENES, 0)
    assert metrics["E2", "scripted/observer", "mgd"][1] == 0


def test_gullible_believes_the_lie_and_observer_does_not(metrics):
    assert metrics["E3", "scripted/gullible", "tsa"][1] == 0
    assert metrics["E3", "scripted/observer", "tsa"][1] >= 0.75


def test_confabulator_commits_before_it_has_seen_itself(metrics):
    n, rate = metrics["E1", "scripted/confabulator", "cr"]
    assert (n, rate) == (3, 1)


def test_mute_is_never_done(metrics):
    assert metrics["E1", "scripted/mute", "tsa"][1] == 0
    assert metrics["E1", "scripted/mute", "tsa_c"] == (0, None)
    assert metrics["E1", "scripted/mute", "ttd"][1] == 20
