-- grain: one row per family, condition, temperature, variant, model, against
-- What the sweep's `until` decided on two models, and when: the verdict of McNemar's exact test
-- over all planned units, at the question's level shared by n_comparisons (`alpha`), and its
-- posterior-predictive probability after the units asked. n_scored: units with scores of both;
-- only_model, only_against: those on which one alone was better. verdict is that of `model`:
-- better, worse, or not told apart.
select
    family,
    condition,
    temperature,
    variant,
    model,
    against,
    metric,
    rule,
    bound,
    round,
    verdict,
    probability,
    n_asked,
    n_planned,
    n_scored,
    only_model,
    only_against,
    alpha,
    n_comparisons
from shard.stopping_decisions
where against is not null
-- Of a run that went on with more units: the last design.
qualify
    n_planned = max(n_planned) over (
        partition by family, condition, temperature, variant, model, against
    )
