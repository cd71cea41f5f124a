"""A model's weak domains, and the accuracies from which they are derived (experiment 9).

The default is the paper's ``median_or_bottom_k``; the analysis has the same rules, and others,
based on the accuracies that every episode keeps."""

from collections.abc import Mapping
from statistics import median

from mirror_ray.contract.listing import Earlier
from mirror_ray.core.identity import Cell
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.judged_accuracy import COUNTED_VERDICTS

BOTTOM_K = 2
MEDIAN = "median"

_ACCURACY = f"""
with verdicts as ({COUNTED_VERDICTS})
select
    steps.domain,
    avg(case $matching
        when 'published' then steps.correct_lenient
        when 'judge' then case
            when verdicts.judged_id is not null
                or coalesce(steps.key_kind, episodes.answer_kind) in ('text', 'open')
                then verdicts.correct
            else steps.correct
        end
        else steps.correct
    end::integer) as accuracy
from steps
left join verdicts
    on steps.episode_id = verdicts.judged_id and steps.ask = verdicts.judged_ask
inner join episodes using (episode_id)
where episodes.condition = 'exp1'
  and episodes.channel = 'natural'
  and episodes.error_kind = 'none'
  and episodes.model = $model
  and episodes.temperature is not distinct from $temperature
  and ($bank is null or episodes.bank = $bank)
  and coalesce(regexp_extract(episodes.variant, 'level=([^+]*)', 1), '') = $level
  and steps.phase = 'answer'
group by steps.domain
order by steps.domain
"""  # noqa: S608 - our own words

_BANKS = """
select distinct bank
from episodes
where condition = 'exp1' and channel = 'natural' and model = $model and bank is not null
  and temperature is not distinct from $temperature
order by bank
"""


def banks_known(cell: Cell, earlier: Earlier) -> tuple[str, ...]:
    """Return the banks of the model's natural exp1 episodes, at the cell's settings."""
    rows = earlier.rows(_BANKS, model=cell.model, temperature=cell.temperature)
    return tuple(row["bank"] for row in rows)


def own_accuracy(
    cell: Cell, earlier: Earlier, matching: str = "grammar", bank: str | None = None
) -> dict[str, float]:
    """Return the model's natural accuracy in exp1 by domain, at the cell's temperature and level.

    Unreadable answers are left out, as in the metrics; a domain without readable answers is
    missing.

    Args:
        matching: grammar, published (the authors' leniency), or judge: the judges' verdicts of
            earlier stages on free keys, and on the others if they were asked.
        bank: of exp1, if it has several; None: all there are.
    """
    rows = earlier.rows(
        _ACCURACY,
        model=cell.model,
        temperature=cell.temperature,
        matching=matching,
        bank=bank,
        level=str(dict(cell.axes).get("level", "")),
    )
    measured = {row["domain"]: row["accuracy"] for row in rows if row["accuracy"] is not None}
    return {domain: round(measured[domain], 4) for domain in DOMAINS if domain in measured}


def weak_domains(accuracy: Mapping[str, float], route: str = MEDIAN) -> tuple[str, ...]:
    """Return the weak domains of `metric.metacog_domains_weak`; of ties the first is lower.

    Args:
        accuracy: domain → share of right answers, in the order of DOMAINS.
        route: ``median`` (below the model's median, else the lowest two), ``below_0.5`` or
            ``bottom_2``.
    """
    if not accuracy:
        return ()
    how, _, number = route.partition("_")
    if how == "bottom":
        return _lowest(accuracy, int(number))
    limit = median(accuracy.values()) if route == MEDIAN else float(number)
    below = tuple(domain for domain in accuracy if accuracy[domain] < limit)
    return below or (_lowest(accuracy, BOTTOM_K) if route == MEDIAN else ())


def reversed_scores(accuracy: Mapping[str, float]) -> dict[str, float]:
    """Return false scores: the weakest domain gets the highest score, and so on."""
    ranked = sorted(accuracy, key=accuracy.__getitem__)
    told = dict(zip(ranked, (accuracy[domain] for domain in reversed(ranked)), strict=True))
    return {domain: told[domain] for domain in accuracy}


def _lowest(accuracy: Mapping[str, float], count: int) -> tuple[str, ...]:
    lowest = sorted(accuracy, key=accuracy.__getitem__)[:count]
    return tuple(domain for domain in accuracy if domain in lowest)
