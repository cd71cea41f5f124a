"""Which domains are a model's weak ones, and where its accuracies come from (experiment 9).

Knows the paper's policy, ``median_or_bottom_k``; other policies and thresholds are the analysis's,
from the accuracies that every episode keeps.
"""

from collections.abc import Mapping
from statistics import median

from mirror_ray.identity import Cell
from mirror_ray.tasks.family import Earlier
from mirror_ray.tasks.metacog.question import DOMAINS

BOTTOM_K = 2

_ACCURACY = """
select steps.domain, avg(steps.correct::integer) as accuracy
from steps
inner join episodes using (episode_id)
where episodes.condition = 'exp1'
  and episodes.channel = 'natural'
  and episodes.error_kind = 'none'
  and episodes.model = $model
  and episodes.temperature is not distinct from $temperature
  and steps.phase = 'answer'
group by steps.domain
order by steps.domain
"""


def own_accuracy(cell: Cell, earlier: Earlier) -> dict[str, float]:
    """Domain → the model's natural accuracy in exp1, at the cell's temperature.

    A reply without a readable answer is left out, as the metrics do; a domain without any
    readable answer is not in it.
    """
    rows = earlier.rows(_ACCURACY, model=cell.model, temperature=cell.temperature)
    measured = {row["domain"]: row["accuracy"] for row in rows if row["accuracy"] is not None}
    return {domain: round(measured[domain], 4) for domain in DOMAINS if domain in measured}


def weak_domains(accuracy: Mapping[str, float]) -> tuple[str, ...]:
    """The domains below the model's own median; where none is, the lowest two."""
    if not accuracy:
        return ()
    middle = median(accuracy.values())
    below = tuple(domain for domain in accuracy if accuracy[domain] < middle)
    return below or tuple(sorted(accuracy, key=accuracy.__getitem__)[:BOTTOM_K])
