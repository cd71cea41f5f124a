"""A driver of its own, in a Ray of its own with pretended GPUs: plays models that it serves itself.

    python play_served.py OUT MARK [budget=USD] [FAULT …]

exits with the run's exit code. `served_program.py` has the faults, of the first model alone. With a
budget a GPU costs two dollars a second.
"""

import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import ray
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.served import Served
from mirror_ray.sweep.plan import EngineSettings, Plan
from support.plans import plan_of

PROGRAM = Path(__file__).with_name("served_program.py")
AGENTS = ("blind", "gullible", "observer")
PRETENDED_GPU = "pretended_gpu"
GPUS = 2


def served(agent: str, mark: str, *faults: str, **changes) -> Model:
    """`agent` behind a server that the run starts."""
    program = (sys.executable, str(PROGRAM), "--port", "{port}", "--mark", mark, *faults)
    how = {"command": program, "gpus": 0.0, "resources": {PRETENDED_GPU: 1.0}, **changes}
    name = f"own/{agent}"
    return Model(
        name=name,
        backend="hosted",
        target=f"hosted_vllm/{agent}",
        limits=Limits(f"{name} (served)", seeks_concurrency=True),
        usd_per_mtok_in=0.0,
        usd_per_mtok_out=0.0,
        timeout_s=30.0,
        serve=Served("command", agent, **how),
    )


def plan_at(out: Path | str, models: Sequence[Model]) -> Plan:
    return plan_of(
        out,
        models,
        conditions=("E1", "E4"),
        seeds=2,
        axes=(("max_steps", 8),),
        engine=EngineSettings(simulators=2, in_flight=6, providers=1),
    )


if __name__ == "__main__":
    logging.disable()
    out, mark, *faults = sys.argv[1:]
    budget_usd = None
    if faults and faults[0].startswith("budget="):
        budget_usd = float(faults.pop(0).removeprefix("budget="))
    slow = ("--latency-s", "0.2")
    models = [
        served(AGENTS[0], mark, *slow, *faults, gpus=1.0, resources={}),
        *(served(agent, mark, *slow, gpus=1.0, resources={}) for agent in AGENTS[1:]),
    ]
    ray.init(
        address="local",
        num_cpus=2,
        num_gpus=GPUS,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )
    if budget_usd is not None:
        models = [replace(one, usd_per_gpu_hour=7200.0) for one in models]
    plan = plan_at(out, models)
    plan = replace(plan, sweep=replace(plan.sweep, budget_usd=budget_usd))
    sys.exit(play_plan(plan, console=Console(width=250), plain=True).exit_code)
