"""`mirror-ray canary` plays a small fixed sweep again and compares it with a sealed baseline."""

import sys
from argparse import Namespace
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mirror_ray.api.playing import play
from mirror_ray.cli.arguments import with_limit
from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, count, new_table, print_json
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.records.run_folders import require_enclosed
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

if TYPE_CHECKING:
    from mirror_ray.analysis.drift import Drift, ScoredRun

FALLEN, CANNOT_TELL = 1, 5
"""Exit codes: a model has become worse; or none is found worse, but one could not be tested."""


def main(arguments: Namespace) -> int:
    """Return the exit code: 0 no fall, 1 a fall, 2 bad input, 3 or 4 as `run`, 5 cannot tell."""
    baseline = _sealed_scores(arguments.baseline)
    from mirror_ray.analysis.drift import drifts, read_scores  # noqa: PLC0415 - late, as DuckDB

    plan = load_plan(arguments.sweep, with_limit(arguments), arguments.out)
    if arguments.out is None:
        at = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        out = f"{plan.sweep.out.rstrip('/')}-canary-{at}"
        plan = load_plan(arguments.sweep, with_limit(arguments), out)
    _require_shared_items(plan, baseline, arguments.baseline)
    shown = Terminal(sys.stderr)
    summary = play(plan, console=shown, plain=True)
    if summary.exit_code > FALLEN:
        say(shown, f"Not compared. To resume, repeat the command with --out {plan.sweep.out}")
        return summary.exit_code
    found = drifts(baseline, read_scores(plan.sweep.out))
    if arguments.json:
        print_json({"out": plan.sweep.out, "models": [asdict(one) for one in found]})
    else:
        columns = ("items", "missing", "read then", "read now", "then", "now", "worse", "better")
        table = new_table("model", *columns, "p", "power", "")
        for one in found:
            n_items = (count(one.n), count(one.missing))
            read = (" of ".join(map(count, each)) for each in (one.read_baseline, one.read_now))
            scores = (
                MISSING if mean is None else f"{mean:.2f}" for mean in (one.baseline, one.now)
            )
            p = MISSING if one.p is None else f"{one.p:.3g}"
            figures = (count(one.worse), count(one.better), p, f"{one.power:.2f}")
            table.add_row(one.model, *n_items, *read, *scores, *figures, one.verdict)
        console.print(table)
        say(console, f"Power: to find a drop of .15 at 1 % false alarms. Data: {plan.sweep.out}")
    return _exit_code(found)


def _sealed_scores(seal: str) -> "ScoredRun":
    with needs_extra("seal", ["cryptography"]):
        from mirror_ray.attestation.comparison import compare_with_seal, sealed_of  # noqa: PLC0415
        from mirror_ray.attestation.envelope import read_envelope  # noqa: PLC0415
    # Imported late, as above.
    from mirror_ray.analysis.drift import read_scores  # noqa: PLC0415
    from mirror_ray.attestation.downloading import sealed_run  # noqa: PLC0415
    from mirror_ray.attestation.statement import shards_of  # noqa: PLC0415
    from mirror_ray.attestation.tables import copied_run  # noqa: PLC0415

    with sealed_run(seal) as (path, directory):
        sealed = sealed_of(read_envelope(path)[0], seal)
        require_enclosed(str(directory))
        if altered := compare_with_seal(sealed, directory).altered:
            raise RunDirError(
                seal, "; ".join(altered[:3]), "the run as it was sealed", "restore it from a copy"
            )
        with copied_run(directory, shards_of(sealed.files), sealed.manifest_text) as copy:
            return read_scores(str(copy))


def _exit_code(found: list["Drift"]) -> int:
    if any(one.has_fallen for one in found):
        return FALLEN
    return 0 if all(one.verdict == "no fall" for one in found) else CANNOT_TELL


def _require_shared_items(plan: Plan, baseline: "ScoredRun", seal: str) -> None:
    names = ("family", "condition", "model", "variant", "temperature", "scene_seed", "run")
    sealed = set(zip(*(baseline.scores[name].to_pylist() for name in names), strict=True))
    shared = set()
    for spec in plan.episodes:
        cell = spec.cell
        setting = (cell.family, cell.condition, cell.model, cell.variant_label, cell.temperature)
        if (*setting, spec.scene_seed, spec.run) in sealed:
            shared.add(cell.model)
    if missing := sorted({one.cell.model for one in plan.episodes} - shared):
        raise RunDirError(
            seal,
            f"no item of {', '.join(missing[:3])} that this sweep plays",
            "a sealed run of the same sweep and models",
            "seal a run of it first: mirror-ray run, then mirror-ray seal",
        )
