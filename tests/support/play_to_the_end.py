"""A driver of its own: plays the plan of `tests/contract/test_kills.py` into a directory.

    python play_to_the_end.py OUT PORT [REPLICATE [SEEDS]]

exits with the run's exit code. A head that is silent for 2 s counts as dead.
"""

import logging
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.records import head_lease
from mirror_ray.sweep.plan import EngineSettings, Plan
from support.loopback import Loopback
from support.plans import hosted, plan_of

IN_FLIGHT = 3
SEEDS = 3
CONDITIONS, AXES = ("E1", "E4", "E5"), (("max_steps", 10),)


def plan_at(
    out: Path | str, port: int, replicate: str | None = None, seeds: int | str = SEEDS
) -> Plan:
    plan = plan_of(
        out,
        [hosted(Loopback(port), "blind")],
        conditions=CONDITIONS,
        seeds=int(seeds),
        axes=AXES,
        engine=EngineSettings(simulators=2, in_flight=IN_FLIGHT, providers=1),
    )
    return replace(plan, sweep=replace(plan.sweep, replicate=replicate))


if __name__ == "__main__":
    logging.disable()
    head_lease.SILENT_S, head_lease.RENEWED_EVERY_S = 2.0, 0.5
    plan = plan_at(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
    sys.exit(play_plan(plan, console=Console(), plain=True).exit_code)
