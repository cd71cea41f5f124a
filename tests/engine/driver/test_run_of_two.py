"""A run whose episodes ask two models: what it says each has cost, and will come to."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.records.run_log import last_lines
from mirror_ray.sweep.plan import Plan
from support.loopback import Loopback
from support.plans import hosted, plan_of

pytestmark = pytest.mark.usefixtures("ray_session")


def room(out: Path, loopback: Loopback) -> Plan:
    """Two episodes of one model, with another beside it that has none of its own."""
    subject, partner = hosted(loopback, "self-finder"), hosted(loopback, "liar")
    plan = plan_of(out, [subject, partner], budget_usd=5.0)
    roles = (("subject", subject.name), ("partner", partner.name))
    cell = Cell("dyad", "talk", roles, 0.2, "plain", (("max_steps", 2),))
    return replace(plan, cells=(cell,), episodes=(EpisodeSpec(cell, 0, 0), EpisodeSpec(cell, 1, 0)))


@pytest.mark.thorough("engine/driver/test_resume_of_two.py and engine/driver/test_cost_forecast.py")
def test_once_all_has_ended_the_plan_comes_to_what_was_paid(
    tmp_path: Path, loopback: Loopback
) -> None:
    """Whether this run or an earlier one paid it."""
    plan = room(tmp_path / "out", loopback)
    for part in (replace(plan, episodes=plan.episodes[:1]), plan):
        summary = play_plan(part, console=Console(file=StringIO()), plain=True)
        (*_, told) = (one for one in last_lines(tmp_path / "out") if one["event"] == "progress")
        assert summary.exit_code == 0
        assert told["spent_usd"] == summary.spent_usd > 0
        assert told["projected_usd"] == pytest.approx(summary.spent_usd)
    assert summary.spent_usd > summary.cost_usd > 0
