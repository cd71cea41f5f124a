"""A driver of its own: plays a plan with `until` into a directory.

    python settled_plan.py OUT PORT

exits with the run's exit code.
"""

import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rich.console import Console

from mirror_ray.analysis.episode_scores import episode_scores
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.providers.model import Model
from mirror_ray.sweep.plan import EngineSettings, Plan, Until
from support.loopback import Loopback
from support.plans import hosted, plan_of

UNTIL = Until("half_width", 0.25, least_units=4, round_units=4)
"""Wilson's interval is so narrow at 4 of 4 and at 1 of 8, not at 3 of 4 or 2 of 8."""

IN_FLIGHT = 3


def settled_plan(
    out: Path | str, models: Sequence[Model], until: Until = UNTIL, *, seeds: int = 8
) -> Plan:
    plan = plan_of(
        out,
        models,
        conditions=("E1", "E4"),
        seeds=seeds,
        axes=(("max_steps", 4),),
        engine=EngineSettings(simulators=2, in_flight=IN_FLIGHT, providers=1),
    )
    return replace(plan, sweep=replace(plan.sweep, until=until))


if __name__ == "__main__":
    logging.disable()
    out, port = sys.argv[1:]
    models = [hosted(Loopback(int(port)), "blind"), hosted(Loopback(int(port)), "gullible")]
    summary = play_plan(
        settled_plan(out, models), console=Console(), plain=True, read_scores=episode_scores
    )
    sys.exit(summary.exit_code)
