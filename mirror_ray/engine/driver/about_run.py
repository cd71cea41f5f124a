"""The facts that a manifest states about a run that begins; they are published with the data."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.plain_json import json_copy
from mirror_ray.providers.price_tiers import as_listed
from mirror_ray.providers.redirections import redirections
from mirror_ray.records.environment import cpu_model, lock_facts, versions
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.versions_differ import PROMPTS_KEY
from mirror_ray.sweep.continued import KEY as PROTOCOLS_KEY
from mirror_ray.sweep.continued import first_prompts, protocols_of_cells
from mirror_ray.sweep.demands import withheld
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.registration import KEY as REGISTRATION_KEY
from mirror_ray.world.opengl.context import GlInfo


def earlier_manifest(out: str) -> Mapping[str, Any]:
    """Return the manifest in the run directory `out`; {} without one."""
    try:
        return read_manifest(out)
    except RunDirError:
        return {}


def about_run(plan: Plan, gl: GlInfo | None) -> dict[str, Any]:
    """Return this run's facts for the manifest. Secret keys are named, but never shown."""
    return {
        "sweep_file": PurePath(plan.sweep.source).name,
        "overrides": list(plan.sweep.overrides),
        "versions": versions(),
        "lock": lock_facts(),
        "cpu": cpu_model(),
        "gl": None if gl is None else asdict(gl),
        "models": json_copy({name: asdict(as_listed(one)) for name, one in plan.models.items()}),
        "redirected": redirections(os.environ),
        "withheld": withheld(plan),
        PROTOCOLS_KEY: protocols_of_cells(plan.cells),
        PROMPTS_KEY: first_prompts(plan),
        REGISTRATION_KEY: plan.sweep.registration,
    }
