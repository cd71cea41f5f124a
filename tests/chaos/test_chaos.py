"""Parts of a run are killed in mid-run: the same command ends with the rows of a quiet run.

`make test-chaos` does the same at random times, a hundred times over.
"""

import numpy as np
import pytest
from command import Command
from findings import judge, judge_budget, rows_that_stand
from rounds import BUDGET_REACHED, DONE, LOST, SECOND_DRIVER, Story, play_round
from strikes import KILLED, Moment
from witness import witness_server

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.sweep.load import load_plan
from support.agents_at_play import play_agents
from support.shard_rows import assert_same_rows, same_words

pytestmark = pytest.mark.thorough(
    "engine/recorder/test_recorder_crashes.py and engine/limiter/test_limiter_deaths.py"
)

SOON = Moment(calls=9, holds=True)


@pytest.fixture
def quiet(tmp_path):
    """A function: the rows of a command's episodes, played in process and undisturbed."""

    def play(command: Command):
        out = tmp_path / "quiet"
        plan = load_plan(command.sweep, ["models=[scripted/blind]"], str(out))
        play_agents(FAMILIES["selfid"], plan.episodes, out, sweep=plan.sweep.name)
        return rows_that_stand(Command(tmp_path, out_name="quiet"))

    return play


def test_rows_of_a_quiet_run(tmp_path, quiet):
    victims = (SECOND_DRIVER, "Simulator", "Recorder", "Provider", "Limiter")
    story = Story()
    with witness_server(sampled=False, latency_s=0.2) as witness:
        command = Command(tmp_path)
        command.write(witness.server)
        blows = [(victim, SOON) for victim in victims]
        assert play_round(command, witness, blows, np.random.default_rng(0), story) == DONE
        found = judge(command, witness, story)
        assert found.victims == dict.fromkeys(victims[1:], 1)
        assert (story.refused, story.exit_codes) == (1, [DONE])
        standing, expected = rows_that_stand(command), quiet(command)
        for kind, rows in standing.items():
            heard = witness.server.heard
            assert_same_rows(same_words(rows), same_words(expected[kind]), heard)


def test_sampled_replies_are_those_that_were_durable_first(tmp_path):
    victims = ("head", "raylet", "gcs")
    story = Story()
    with witness_server(sampled=True, latency_s=0.2) as witness:
        command = Command(tmp_path)
        command.write(witness.server)
        blows = [(victim, SOON) for victim in victims]
        assert play_round(command, witness, blows, np.random.default_rng(0), story) == DONE
        found = judge(command, witness, story)
    assert found.victims == dict.fromkeys(victims, 1)
    assert story.exit_codes == [KILLED, LOST, LOST, DONE]
    assert found.again["gcs"].calls == 0, "without the gcs alone every answer becomes durable"
    told = command.told()
    assert "this host's raylet" in told
    assert "the head of the Ray session" in told
    assert told.count("the same command") >= 2


def test_a_budget_holds_though_calls_are_lost(tmp_path):
    budget_usd = 0.055  # for all calls of the two lives that are cut short, and a few more
    victims = ("Provider", "driver")
    story = Story()
    with witness_server(sampled=False, latency_s=0.2) as witness:
        command = Command(tmp_path)
        command.write(witness.server)
        blows = [(victim, SOON) for victim in victims]
        rng = np.random.default_rng(0)
        budget = f"budget_usd={budget_usd}"
        assert play_round(command, witness, blows, rng, story, budget) == BUDGET_REACHED
        judge_budget(witness, budget_usd)
    assert [one.victim for one in story.strikes] == list(victims)
    assert all(one.in_flight for one in story.strikes), "replies were lost that were paid for"
