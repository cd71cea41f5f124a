"""Rehearse a sweep of hosted models against mock ones that enforce every limit.

    python benchmarks/rehearsal.py [SWEEP] [KEY=VALUE …] [--runs 1] [--speed 1] [--shed 0.2]

Plays `sweeps/full.yaml` or another sweep, with the limits of the catalogue, against `mirror-ray
mock` on loopback. For each key it prints the calls, by the server's own count, how long they took,
and how long its limits alone would have taken. With ``--speed 10`` limits per minute are ten times
as large and replies ten times as fast. At the end it prints the run's costs and the bill by the
server's own count of tokens at each tier.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from rich.console import Console
from rich.table import Table

from mirror_ray.cli.mock import name_on_the_wire
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.driver.run_summary import RunSummary
from mirror_ray.providers.model import Limits
from mirror_ray.providers.price_tiers import cost_usd, lanes_of
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

PIPED_WIDTH = 140


@dataclass(frozen=True, slots=True)
class Use:
    """The requests of a key's models, by the server's count.

    Args:
        took_s: from the first call to the end of the last.
        ideal_s: how long they take if only the key's limits delay them.
        bound_by: the limit that determines it.
    """

    calls: int
    rejected: int
    took_s: float
    ideal_s: float
    bound_by: str


def main() -> None:
    """Play the rehearsal and print each key's totals."""
    chosen = _options()
    console = Console()
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    overrides = list(chosen.overrides)
    if chosen.runs is not None:
        stages = load_plan(chosen.sweep, overrides).sweep.resolved["stages"]
        overrides += [f"stages.{number}.runs={chosen.runs}" for number in range(len(stages))]
    with TemporaryDirectory(prefix="rehearsal-") as folder:
        manner = ["--latency-s", str(chosen.latency_s), "--speed", str(chosen.speed)]
        manner += ["--shed", str(chosen.shed)]
        manner += [word for agent in chosen.agent for word in ("--agent", agent)]
        with pretended(chosen.sweep, overrides, manner, Path(folder)) as catalogue:
            plan = rehearsed(chosen.sweep, overrides, catalogue, f"{folder}/run")
            summary = play_plan(plan, console=console, plain=True)
            counts = counts_of(plan)
    latency_s = chosen.latency_s / chosen.speed
    console.print(table_of(plan, counts, latency_s))
    console.print(conclusion(plan, counts, summary, latency_s, chosen.speed), soft_wrap=True)
    console.print(money(plan, counts, summary), soft_wrap=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sweep", nargs="?", default="sweeps/full.yaml")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE", default=[])
    parser.add_argument("--runs", type=int, help="runs of every stage")
    parser.add_argument("--latency-s", type=float, default=2.0, help="of a reply, ± 20 %% (2)")
    parser.add_argument(
        "--agent",
        nargs="+",
        default=["blind"],
        help="who replies, one for each family (blind: selfid's that stops at random)",
    )
    parser.add_argument("--shed", type=float, default=0.0, help="share of flex calls (0)")
    parser.add_argument("--speed", type=float, default=1.0, help="limits × it, latency ÷ it (1)")
    return parser.parse_args()


@contextmanager
def pretended(
    sweep: str, overrides: Sequence[str], manner: Sequence[str], folder: Path
) -> Iterator[Path]:
    """Run the mock server for the duration of the block; yield its catalogue."""
    catalogue = folder / "models.yaml"
    command = [sys.executable, "-m", "mirror_ray", "mock", sweep, *overrides, *manner]
    with subprocess.Popen(
        [*command, "--port", "0", "--catalogue", str(catalogue)],
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C stops the run; its calls are still counted.
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "the server did not start"
            yield catalogue
        finally:
            process.terminate()


def rehearsed(sweep: str, overrides: Sequence[str], catalogue: Path, out: str) -> Plan:
    """Return the sweep's plan with its hosted models redirected by `catalogue`."""
    named = load_plan(sweep, overrides).sweep.resolved.get("catalogue") or []
    files = ",".join([*map(str, named), str(catalogue)])
    return load_plan(sweep, [*overrides, f"catalogue=[{files}]"], out)


def counts_of(plan: Plan) -> Mapping[str, Mapping[str, Any]]:
    """Return key → the server's count."""
    address = next(model.base_url for model in plan.models.values() if model.base_url)
    with urlopen(f"http://{urlsplit(address).netloc}/stats") as reply:
        counts: Mapping[str, Mapping[str, Any]] = json.load(reply)
    return counts


def use_of(limits: Limits, count: Mapping[str, Any], latency_s: float) -> Use:
    """Return a key's use of its limits."""
    calls = sum(number for _, number in count["taken"])
    demands = {
        "requests a minute": calls * 60.0 / (limits.rpm or inf),
        "tokens a minute": count["tokens"] * 60.0 / (limits.tpm or inf),
        "calls at once": calls * latency_s / (limits.concurrency or inf),
    }
    bound_by = max(demands, key=lambda what: demands[what])
    return Use(
        calls=calls,
        rejected=sum(number for _, number in count["rejected"]),
        took_s=count["last_s"] + latency_s,
        ideal_s=demands[bound_by],
        bound_by=bound_by,
    )


def uses_of(
    plan: Plan, counts: Mapping[str, Mapping[str, Any]], latency_s: float
) -> dict[str, Use]:
    """Return key → its use, slowest first."""
    lanes = [lane for model in plan.models.values() for lane in lanes_of(model)]
    limits = {lane.limits.key: lane.limits for lane in lanes}
    uses = {
        key: use_of(limits[key], counts[key], latency_s) for key in limits if counts[key]["taken"]
    }
    return dict(sorted(uses.items(), key=lambda pair: -pair[1].ideal_s))


def table_of(
    plan: Plan, counts: Mapping[str, Mapping[str, Any]], latency_s: float, shown: int = 12
) -> Table:
    """Return a table with one row per key."""
    uses = uses_of(plan, counts, latency_s)
    table = Table("key", title=f"{plan.sweep.name}: each key's allowance and its use")
    for title in ("calls", "429s", "took", "ideal", "used"):
        table.add_column(title, justify="right")
    table.add_column("bound by")
    for key, use in list(uses.items())[:shown]:
        table.add_row(
            key.partition(" at ")[0],
            f"{use.calls:,}",
            f"{use.rejected:,}",
            f"{use.took_s:.0f} s",
            f"{use.ideal_s:.0f} s",
            f"{use.ideal_s / use.took_s:.0%}",
            use.bound_by,
        )
    if len(uses) > shown:
        table.caption = f"{len(uses) - shown} more keys"
    return table


def conclusion(
    plan: Plan,
    counts: Mapping[str, Mapping[str, Any]],
    summary: RunSummary,
    latency_s: float,
    speed: float,
) -> str:
    """Return a summary of the whole sweep."""
    uses = uses_of(plan, counts, latency_s)
    calls = sum(use.calls for use in uses.values())
    rejected = sum(use.rejected for use in uses.values())
    ideal_s = max(use.ideal_s for use in uses.values())
    told = (
        f"{summary.episodes_done:,} episodes, {summary.episodes_failed} failed; {calls:,} calls,"
        f" {rejected} rejected ({rejected / max(1, calls):.2%}); played in"
        f" {summary.playing_s:.0f} s; the slowest key's limits alone would take"
        f" {ideal_s:.0f} s: {ideal_s / summary.playing_s:.0%}. {calls / summary.playing_s:.0f}"
        f" calls/s in all, replies after {latency_s:g} s ± 20 %."
    )
    if speed != 1.0:
        told += f" Time was scaled: limits × {speed:g}, latency ÷ {speed:g}."
    return told


def money(plan: Plan, counts: Mapping[str, Mapping[str, Any]], summary: RunSummary) -> str:
    """Return the run's costs and the server's bill, as a sentence."""
    usd, n_calls = 0.0, Counter[str]()
    for model in plan.models.values():
        for lane in lanes_of(model):
            bill = counts[lane.limits.key]["billed"].get(name_on_the_wire(lane), {})
            n_calls[lane.tier or "standard"] += bill.get("calls", 0)
            billed_usd = cost_usd(
                lane,
                reported_usd=None,
                tokens_in=bill.get("tokens_in", 0),
                tokens_out=bill.get("tokens_out", 0),
                tokens_cached=bill.get("tokens_cached", 0),
            )
            usd += billed_usd or 0.0
    shed = sum(count["shed"] for count in counts.values())
    served = ", ".join(f"{n:,} at {tier}" for tier, n in n_calls.items())
    return (
        f"Answered: {served}; {shed:,} shed. Spent ${summary.cost_usd:.6f}, billed ${usd:.6f},"
        " at the known prices."
    )


if __name__ == "__main__":
    main()
