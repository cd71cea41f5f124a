"""A run of any number of models, an episode each: some failed, some could not be paid for."""

import json
from dataclasses import asdict
from pathlib import Path

import yaml

from mirror_ray.core.types import Reply, Request
from mirror_ray.sweep.load import load_plan
from support.recorded_run import record_run

FAILED, UNPAID = range(1, 11), range(11, 16)
"""Numbers of models of half the run."""
ACTION = {"reasoning": "x", "action": "done", "selected_cube": "red", "identification": "unknown"}


def crowded_run(out: Path, n_models: int) -> str:
    """Writes it into `out`: models of five labs, half of each with a stated limit."""
    half = n_models // 2
    entry = {"base_url": "http://127.0.0.1:9/v1", "usd_per_mtok_in": 1.0, "usd_per_mtok_out": 1.0}
    models = {
        f"mock/{speed}-{number:03d}": {
            "target": f"hosted_vllm/mock/{speed}-{number:03d}",
            "lab": f"Lab {'abcde'[number % 5]}",
            **entry,
            **limits,
        }
        for speed, limits in (("brisk", {"rpm": 500}), ("slow", {}))
        for number in range(half)
    }
    catalogue = out.parent / f"{out.name}_models.yaml"
    catalogue.write_text(yaml.safe_dump({"models": models}))
    stage = {
        "family": "selfid",
        "conditions": ["E1"],
        "seeds": 1,
        "runs": 1,
        "temperature": [0.2],
        "max_steps": 2,
    }
    keys = {
        "name": "crowded",
        "catalogue": catalogue.name,
        "models": list(models),
        "stages": [stage],
        "out": str(out),
    }
    path = out.parent / f"{out.name}.yaml"
    path.write_text(yaml.safe_dump(keys))
    plan = load_plan(str(path))
    model_of = {spec.episode_id: spec.cell.model for spec in plan.episodes}

    def says(request: Request) -> Reply:
        speed, number = model_of[request.episode_id].removeprefix("mock/").split("-")
        if speed == "brisk" and int(number) in FAILED:
            return Reply("", error_kind="server", error="down", cost_usd=0.0)
        if speed == "brisk" and int(number) in UNPAID:
            return Reply("", error_kind="budget", error="spent", cost_usd=0.0, attempts=0)
        right = {"selected_cube": "blue"} if int(number) % 7 == 0 else {}
        return Reply(json.dumps(ACTION | right), cost_usd=0.001 * (1 + int(number)))

    entries = {name: asdict(model) for name, model in plan.models.items()}
    about = {"versions": {}, "cpu": None, "gl": None, "models": entries}
    record_run(plan, says, about=about, in_a_shard=max(2, n_models // 4))
    return str(out)
