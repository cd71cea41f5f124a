"""A registration: what a sweep will claim, written before its first call, and enforced by `run`."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from mirror_ray.contract.family import first_ask
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.bounded_files import read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.identity import content_hash
from mirror_ray.core.plain_json import json_copy, read_json
from mirror_ray.core.view_key import view_key
from mirror_ray.records.environment import lock_facts, own_version
from mirror_ray.records.manifest import mapping_of, runs_of
from mirror_ray.records.sweep_identity import sweep_sha
from mirror_ray.sweep.continued import manifest_of
from mirror_ray.sweep.plan import Plan

KEY = "registration"
"""Key of each run in a manifest."""

_MOST_BYTES = 64 * 2**20
_FREE = ("registered_at", "claims")
"""Parts that do not depend on the plan: the author may edit `claims` before the run."""


def registration_of(plan: Plan) -> dict[str, Any]:
    """Return what a plan registers: claims, numbers, stopping rule, prompts, scenes, packages."""
    n_episodes = Counter(spec.cell.cell_id for spec in plan.episodes)
    cells = [
        {
            "cell": cell.cell_id,
            "family": cell.family,
            "condition": cell.condition,
            "models": [name for _, name in cell.models],
            "temperature": cell.temperature,
            "variant": cell.variant_label,
            "n_episodes": n_episodes[cell.cell_id],
        }
        for cell in plan.cells
    ]
    registration = {
        "registered_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "claims": list(_claims(plan)),
        "sweep": plan.sweep.name,
        "sweep_sha": sweep_sha(plan.sweep.resolved),
        "cells": cells,
        "stopping": plan.sweep.resolved.get("until"),
        "episodes_sha": content_hash(sorted(spec.episode_id for spec in plan.episodes)),
        "first_requests": _first_requests(plan),
        "program": own_version(),
        "lock": lock_facts(),
    }
    return dict(json_copy(registration))


def registered(plan: Plan, path: str) -> dict[str, Any]:
    """Return what the manifest records of a registration that the plan conforms to. Raise
    SweepError if the file is unusable, the plan deviates from it, or the directory has earlier
    episodes."""
    where = f"command line: --registered {path}"
    try:
        content = read_bounded(path, _MOST_BYTES)
        found = read_json(text_of(content))
    except UnfitError as error:
        raise error.at(where) from error
    planned = registration_of(plan)
    if not isinstance(found, dict) or not _are_claims(found.get("claims")):
        raise SweepError(
            where,
            "no registration",
            "the JSON that plan wrote; each claim with family, metric and shown_in",
            "write it again: mirror-ray plan SWEEP --register FILE",
        )
    for key in planned.keys() | found.keys():
        if key not in _FREE and planned.get(key) != found.get(key):
            raise SweepError(
                f"{where}: {key}",
                f"another {key} than this sweep has here",
                "the registered sweep, with the same program and packages",
                "undo the change; or run without --registered: every result is exploratory then",
            )
    about = {
        "sha256": sha256(content).hexdigest(),
        "registered_at": str(found.get("registered_at"))[:40],
        "claims": found["claims"],
    }
    _require_same(plan, about["sha256"], where)
    return about


def require_registered(plan: Plan) -> None:
    """Refuse, with a SweepError, to continue a registered run without its registration."""
    _require_same(plan, None, "command line: --registered")


def _require_same(plan: Plan, digest: str | None, where: str) -> None:
    for run in runs_of(manifest_of(plan.sweep.out) or {}):
        before = mapping_of(run.get(KEY)).get("sha256")
        if before != digest:
            had = "no registration" if before is None else f"the registration {before}"
            raise SweepError(
                where,
                f"{plan.sweep.out} was started with {had}",
                "one registration for all starts of a run",
                "use another --out" if digest else "add --registered FILE, or use another --out",
            )


def _claims(plan: Plan) -> Iterator[dict[str, Any]]:
    for family in dict.fromkeys(cell.family for cell in plan.cells):
        yield {
            "family": family,
            "metric": METRICS[family].leading,
            "comparisons": "every pair of models in each condition, on equal scenes, by the paired"
            " test of the report, with Holm's correction",
            "shown_in": [f"headline_{family}", f"models_{family}"],
        }


def _are_claims(claims: object) -> bool:
    return isinstance(claims, list) and all(
        isinstance(one, dict)
        and isinstance(one.get("family"), str)
        and isinstance(one.get("metric"), str)
        and isinstance(one.get("shown_in"), list)
        and all(isinstance(name, str) for name in one["shown_in"])
        for one in claims
    )


def _first_requests(plan: Plan) -> dict[str, Any]:
    """Return each cell's first episode with the hashes of its first prompt and its first views."""
    found: dict[str, Any] = {}
    for spec in plan.episodes:
        cell = spec.cell
        if cell.cell_id in found:
            continue
        found[cell.cell_id] = {"episode": spec.episode_id}
        # An episode that cannot begin has neither; playing it reports why.
        with suppress(Exception):
            ask = first_ask(FAMILIES[cell.family], spec)
            views = content_hash(*((view_key(view) or b"").hex() for view in ask.views))
            found[cell.cell_id] |= {"prompt": ask.prompt_sha, "views": views}
    return found


def write_registration(plan: Plan, path: str) -> Mapping[str, Any]:
    """Write the plan's registration to a new file. Raise SweepError if it exists, or if writing
    fails."""
    registration = registration_of(plan)
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(json.dumps(registration, indent=1) + "\n")
    except OSError as error:
        raise SweepError(
            "command line: --register",
            f"{path}: {error.strerror or error}",
            "a new file in a folder that you may write",
            "choose another name",
        ) from error
    return registration
