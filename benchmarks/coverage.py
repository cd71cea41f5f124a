"""Measure how often 95 % intervals contain the true value if units have several replies.

Draws runs with known shares: units with different chances (beta-binomial with a given correlation
of a unit's replies; 1: all replies of a unit agree), 8 replies each. Counts how often the interval
of SQL's views (Wilson's on the effective number) and the stored bootstrap interval contain the
share, and compares with plain Wilson on as many independent replies as units, and on all replies
as if they were independent. No cell should be below 93 % or above 98 %, or below plain Wilson up
to 95 %. Plain Wilson exceeds 95 % where n and share happen to suit its steps. Counts of steps,
which have only bootstrap intervals, are drawn from four skewed distributions.

Usage: python benchmarks/coverage.py [--draws 2000] [--answers 8]
"""

import argparse
from collections.abc import Sequence

import duckdb
import numpy as np
from numpy.typing import NDArray

from mirror_ray.analysis.bootstrap import Interval, Sample, interval_of, scene_draws
from mirror_ray.analysis.sql_files import sql_files

UNITS = (20, 28, 50, 100, 300)
CORRELATIONS = (0.0, 0.5, 1.0)
SHARES = (0.25, 0.5, 0.7)
BOOTSTRAPPED = (20, 28, 50, 100)
"""Numbers of units with bootstrap intervals, which take most of the time."""
FLOOR, CEILING = 0.93, 0.98

_QUERY = """
with totals as (
    select
        draw,
        sum(unit_sum) / sum(unit_n) as estimate,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective,
        sum(unit_n) as n_answers
    from drawn
    group by draw
)

select
    avg((
        $share between macro.wilson_low(estimate * n_effective, n_effective)
        and macro.wilson_high(estimate * n_effective, n_effective)
    )::integer),
    avg((
        $share between macro.wilson_low(estimate * n_answers, n_answers)
        and macro.wilson_high(estimate * n_answers, n_answers)
    )::integer)
from totals
"""

Floats = NDArray[np.float64]


def answers(
    generator: np.random.Generator,
    shape: tuple[int, int],
    n_answers: int,
    share: float,
    correlation: float,
) -> Floats:
    """Return the number of right replies of each unit, (draws, units)."""
    if correlation == 0:
        return generator.binomial(n_answers, share, shape).astype(np.float64)
    if correlation == 1:
        return n_answers * generator.binomial(1, share, shape).astype(np.float64)
    spread = (1 - correlation) / correlation
    own = generator.beta(spread * share, spread * (1 - share), shape)
    return generator.binomial(n_answers, own).astype(np.float64)


def covered(
    connection: duckdb.DuckDBPyConnection, sums: Floats, n_answers: int, share: float
) -> tuple[float, float]:
    """Return how often the views' interval, and Wilson's on all replies, contain the share."""
    draws, units = sums.shape
    drawn = {  # noqa: F841 - DuckDB reads it by its name
        "draw": np.repeat(np.arange(draws), units),
        "unit_sum": sums.reshape(-1),
        "unit_n": np.full(draws * units, n_answers),
    }
    ((views, naive),) = connection.execute(_QUERY, {"share": share}).fetchall()
    return float(views), float(naive)


def bootstrapped(sums: Floats, n_answers: int, share: float) -> float:
    """Return how often the stored interval contains the share; a missing one does not."""
    units = sums.shape[1]
    resampled = scene_draws(units, 2_000, seed=0)
    counts = np.full(units, float(n_answers))
    found = (interval_of(Sample(row, counts), resampled, is_share=True) for row in sums)
    return held([interval for interval, _ in found], share)


def held(found: Sequence[Interval], truth: float) -> float:
    """Return the share of intervals that contain the truth."""
    return float(np.mean([
        one.ci_low is not None and one.ci_high is not None and one.ci_low <= truth <= one.ci_high
        for one in found
    ]))  # fmt: skip


def populations(generator: np.random.Generator) -> dict[str, Floats]:
    """Return 200,000 counts of steps of each kind, whose mean is known."""
    many = 200_000
    drawn = {
        "steps to done, geometric": np.minimum(generator.geometric(0.08, many), 100),
        "steps to done, a fifth truncated at 100": np.where(
            generator.random(many) < 0.2, 100, generator.integers(5, 30, many)
        ),
        "steps to done, uniform": generator.integers(3, 41, many),
        "steps that look, many zeros": generator.poisson(generator.gamma(0.7, 8, many)),
    }
    return {name: values.astype(np.float64) for name, values in drawn.items()}


def counts_held(values: Floats, units: int, draws: int, generator: np.random.Generator) -> float:
    """Return how often the stored interval of a mean count contains it."""
    resampled, ones = scene_draws(units, 2_000, seed=0), np.ones(units)
    found = (
        interval_of(Sample(row, ones), resampled, is_share=False)
        for row in generator.choice(values, (draws, units))
    )
    return held([interval for interval, _ in found], float(values.mean()))


def main() -> None:
    """Print one line of Markdown for each number of units, share and correlation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=2_000)
    parser.add_argument("--answers", type=int, default=8)
    args = parser.parse_args()
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("create schema macro")
    for file in sql_files():
        if file.layer == "macro":
            connection.execute(file.definition())
    columns = [f"{what}, {one:g}" for what in ("views", "bootstrap") for one in CORRELATIONS]
    print(f"| units | share | plain | {' | '.join(columns)} | all as independent, .5 | below |")
    print(f"|---|---|---|{'---|' * (len(columns) + 2)}")
    for units in UNITS:
        for share in SHARES:
            print(_line(connection, units, share, args.draws, args.answers), flush=True)
    print("| counts | " + " | ".join(str(units) for units in BOOTSTRAPPED) + " |")
    for name, values in populations(np.random.default_rng(7)).items():
        cells = [
            f"{counts_held(values, units, args.draws, np.random.default_rng(units)):.1%}"
            for units in BOOTSTRAPPED
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _line(
    connection: duckdb.DuckDBPyConnection, units: int, share: float, draws: int, n_answers: int
) -> str:
    """Return one line of Markdown; its last column names cells outside the limits."""
    reached: dict[str, list[float]] = {"views": [], "bootstrap": []}
    plain = naive = 0.0
    for correlation in CORRELATIONS:
        generator = np.random.default_rng([units, round(100 * share), round(10 * correlation)])
        sums = answers(generator, (draws, units), n_answers, share, correlation)
        views, independent = covered(connection, sums, n_answers, share)
        reached["views"].append(views)
        if units in BOOTSTRAPPED:
            reached["bootstrap"].append(bootstrapped(sums, n_answers, share))
        if correlation == 0.5:
            naive = independent
        if correlation == 1:  # all replies of a unit agree: equivalent to one reply per unit
            plain, _ = covered(connection, sums / n_answers, 1, share)
    least = max(FLOOR, min(plain, 0.95)) - 2 * (0.05 * 0.95 / draws) ** 0.5
    outside = [one for some in reached.values() for one in some if not least <= one <= CEILING]
    cells = [
        [f"{one:.1%}" for one in reached[name]] or [""] * len(CORRELATIONS) for name in reached
    ]
    figures = " | ".join(one for some in cells for one in some)
    return f"| {units} | {share} | {plain:.1%} | {figures} | {naive:.0%} | {len(outside) or ''} |"


if __name__ == "__main__":
    main()
