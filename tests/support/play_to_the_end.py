"""A driver of its own: plays the plan of `tests/contract/test_kills.py` into a directory.

    python play_to_the_end.py OUT PORT

exits with the run's exit code.
"""

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.sweep.plan import EngineSettings, Plan
from support.loopback import Loopback
from support.plans import hosted, plan_of

IN_FLIGHT = 3


def plan_at(out: Path | str, port: int) -> Plan:
    return plan_of(
        out,
        [hosted(Loopback(port), "blind")],
        conditions=("E1", "E4", "E5"),
        seeds=3,
        axes=(("max_steps", 10),),
        engine=EngineSettings(simulators=2, in_flight=IN_FLIGHT, providers=1),
    )


if __name__ == "__main__":
    logging.disable()
    plan = plan_at(sys.argv[1], int(sys.argv[2]))
    sys.exit(play_plan(plan, console=Console(), plain=True).exit_code)
