-- grain: one row per family, condition, temperature, variant, model, against
-- Decisions of the sweep's `until` on two models: the verdict of McNemar's exact test over all
-- planned units, at the question's level divided by n_comparisons (`alpha`), and its
-- posterior-predictive probability after the units played. n_scored: units with scores of both;
-- only_model, only_against: units on which only that one was better. verdict is from the view of
-- `model`: better, worse, or not told apart.
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
-- If a run continued with more units: the last design.
qualify
    n_planned = max(n_planned) over (
        partition by family, condition, temperature, variant, model, against
    )
