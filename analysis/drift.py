"""Whether a model has become worse on a fixed set of items: a paired exact test, and its power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa

from mirror_ray.contract.metrics import METRICS

DROP = 0.15
"""The drop whose power is simulated, as a share of the items."""
ALPHA = 0.01
"""The largest share of false alarms, over all models together."""
LEAST_POWER = 0.8
_LEAST_NOISE = 0.02
_DRAWS = 20_000
_SEED = 20_260_601

_PAIRS = """
select baseline.model, baseline.score, now.score
from baseline inner join now
    on baseline.family = now.family and baseline.condition = now.condition
    and baseline.model = now.model and baseline.variant = now.variant
    and baseline.temperature is not distinct from now.temperature
    and baseline.cluster = now.cluster and baseline.item = now.item
    and baseline.scene_seed = now.scene_seed and baseline.run = now.run
    and baseline.metric = now.metric
where baseline.score is not null
order by all
"""
_SCORES = """
select family, condition, model, variant, temperature, cluster, item, scene_seed, run, metric,
    score * direction as score
from metric.scores
where list_contains($1, family || ' ' || metric) and direction is not null
"""
_READ = """
select model, [sum(n_read)::bigint, sum(n_replies)::bigint]
from metric.replies
group by model
"""


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run's scores, one row per item, and each model's numbers of replies read and recorded."""

    scores: pa.Table
    read: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Drift:
    """One model's items, then and now.

    Args:
        n: items with a score in both runs.
        missing: items that got no score when played again, mostly because of an error.
        worse, better: items whose score has fallen, or risen.
        p: p of the one-sided exact sign test over the items that differ; 1.0 if none differs.
        power: simulated share of runs in which a drop of `DROP` would be found.
        false_alarms: simulated share of runs in which a drop would be reported without one.
        may_have_fallen: no fall was found, but one would be if all missing items were worse.
        read_baseline, read_now: how many of the model's replies were read, and how many there are.
            If fewer than half were read either time, nothing is concluded.
    """

    model: str
    n: int
    missing: int
    baseline: float | None
    now: float | None
    worse: int
    better: int
    p: float | None
    power: float
    false_alarms: float
    has_fallen: bool
    may_have_fallen: bool
    read_baseline: Sequence[int] = ()
    read_now: Sequence[int] = ()

    @property
    def is_mostly_unread(self) -> bool:
        """Whether fewer than half of the model's replies were read in either run."""
        counts = filter(None, (self.read_baseline, self.read_now))
        return any(2 * n_read < n for n_read, n in counts)

    @property
    def verdict(self) -> str:
        """The conclusion in words."""
        if self.is_mostly_unread:
            return "too few read"
        if self.has_fallen:
            return "FALLEN"
        if self.may_have_fallen:
            return "too many missing"
        return "no fall" if self.power >= LEAST_POWER else "too few items"


def read_scores(directory: str) -> ScoredRun:
    """Read each family's leading metric in a run directory."""
    # Imported late: a simulation alone needs no DuckDB.
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    leading = [f"{family} {metrics.leading}" for family, metrics in METRICS.items()]
    with open_run(directory) as run:
        return ScoredRun(
            run.sql(_SCORES, params=[leading]).to_arrow_table(), dict(run.execute(_READ).fetchall())
        )


def drifts(baseline: ScoredRun, now: ScoredRun) -> list[Drift]:
    """Compare the items that two runs share, model by model."""
    # Imported late, as above.
    import duckdb  # noqa: PLC0415

    with duckdb.connect() as joined:
        joined.register("baseline", baseline.scores)
        joined.register("now", now.scores)
        rows = joined.execute(_PAIRS).fetchall()
    models = list(dict.fromkeys(row[0] for row in rows))
    alpha = ALPHA / max(1, len(models))
    found = []
    for model in models:
        drift = replace(
            drift_of(model, [(old, new) for name, old, new in rows if name == model], alpha),
            read_baseline=baseline.read.get(model, ()),
            read_now=now.read.get(model, ()),
        )
        if drift.is_mostly_unread:
            withheld: dict[str, Any] = dict.fromkeys(("baseline", "now", "p"))
            drift = replace(drift, has_fallen=False, may_have_fallen=False, **withheld)
        found.append(drift)
    return found


def drift_of(model: str, items: Sequence[tuple[float, float | None]], alpha: float) -> Drift:
    """Test one model's items. Each has its score in the baseline and, if it has one, its score
    now."""
    pairs = [(old, new) for old, new in items if new is not None]
    n, missing = len(pairs), len(items) - len(pairs)
    worse, better = (sum(sign * old > sign * new for old, new in pairs) for sign in (1, -1))
    noise = max(_LEAST_NOISE, better / max(1, n))
    p = sign_test_p(worse, worse + better)
    return Drift(
        model=model,
        n=n,
        missing=missing,
        baseline=sum(old for old, _ in pairs) / n if n else None,
        now=sum(new for _, new in pairs) / n if n else None,
        worse=worse,
        better=better,
        p=p,
        power=simulated_alarms(n, DROP, noise, alpha),
        false_alarms=simulated_alarms(n, 0.0, noise, alpha),
        has_fallen=p <= alpha,
        may_have_fallen=sign_test_p(worse + missing, worse + better + missing) <= alpha < p,
    )


def sign_test_p(worse: int, n_differ: int) -> float:
    """Return the probability that a fair coin gives at least this many worse items of those that
    differ."""
    return float(sum(comb(n_differ, k) for k in range(worse, n_differ + 1)) / 2**n_differ)


@cache
def simulated_alarms(n: int, drop: float, noise: float, alpha: float) -> float:
    """Return how often the test finds a fall in n items, each of which may also flip by chance.

    Args:
        drop: the probability that an item really falls.
        noise: the probability that an item falls by chance, and equally that it rises.
    """
    rng = np.random.default_rng([_SEED, n])
    fall, rise = min(1.0, drop + noise), min(noise, 1 - min(1.0, drop + noise))
    counts = rng.multinomial(n, [fall, rise, max(0.0, 1 - fall - rise)], size=_DRAWS)
    kinds, times = np.unique(counts[:, :2], axis=0, return_counts=True)
    alarms = [sign_test_p(int(worse), int(worse + better)) <= alpha for worse, better in kinds]
    return int(times[alarms].sum()) / _DRAWS
