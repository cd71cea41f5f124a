"""`mirror-ray canary` plays a small fixed sweep again and compares it with a sealed baseline."""

from argparse import Namespace
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from sys import stderr

from mirror_ray.api.playing import play
from mirror_ray.cli.arguments import with_limit
from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, count, new_table, print_json
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.sweep.load import load_plan

FALLEN, TOO_FEW = 1, 5
"""Exit codes: a model has become worse; too few items to tell, with none found worse."""


def main(arguments: Namespace) -> int:
    """Return the exit code: 0 no fall, 1 a fall, 2 bad input, 3 or 4 as `run`, 5 too few items."""
    with needs_extra("seal", ["cryptography"]):
        from mirror_ray.attestation.comparison import compare_with_seal, sealed_of  # noqa: PLC0415
        from mirror_ray.attestation.envelope import read_envelope  # noqa: PLC0415
    from mirror_ray.analysis.drift import LEAST_POWER, drifts  # noqa: PLC0415 - late, as DuckDB
    from mirror_ray.attestation.statement import shards_of  # noqa: PLC0415
    from mirror_ray.attestation.tables import copied_run  # noqa: PLC0415

    seal = Path(arguments.baseline)
    sealed = sealed_of(read_envelope(seal)[0], str(seal))
    if altered := compare_with_seal(sealed, seal.parent).altered:
        raise RunDirError(
            str(seal), "; ".join(altered[:3]), "the run as it was sealed", "restore it from a copy"
        )
    plan = load_plan(arguments.sweep, with_limit(arguments), arguments.out)
    if arguments.out is None:
        at = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        out = f"{plan.sweep.out.rstrip('/')}-canary-{at}"
        plan = load_plan(arguments.sweep, with_limit(arguments), out)
    summary = play(plan, console=Terminal(stderr), plain=True)
    if summary.exit_code > FALLEN:
        return summary.exit_code
    with copied_run(seal.parent, shards_of(sealed.files), sealed.manifest_text) as copy:
        found = drifts(str(copy), plan.sweep.out)
    if not found:
        raise RunDirError(
            str(seal),
            "no item of this sweep",
            "a sealed run of the same sweep",
            "seal a run of it first: mirror-ray run, then mirror-ray seal",
        )
    if arguments.json:
        print_json({"out": plan.sweep.out, "models": [asdict(one) for one in found]})
    else:
        columns = ("items", "read then", "read now", "then", "now", "worse", "better", "p", "power")
        table = new_table("model", *columns, "")
        for one in found:
            is_weak = one.power < LEAST_POWER
            verdict = "FALLEN" if one.has_fallen else "too few items" if is_weak else "no fall"
            figures = (f"{one.baseline:.2f}", f"{one.now:.2f}", count(one.worse), count(one.better))
            read = (" of ".join(map(count, each)) for each in (one.read_baseline, one.read_now))
            tested = (f"{one.p:.3g}", f"{one.power:.2f}", verdict)
            table.add_row(one.model, count(one.n), *read, *figures, *tested)
        console.print(table)
        say(console, f"Power: to find a drop of .15 at 1 % false alarms. Data: {plan.sweep.out}")
    if any(one.has_fallen for one in found):
        return FALLEN
    return TOO_FEW if any(one.power < LEAST_POWER for one in found) else 0
