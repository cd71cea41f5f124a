-- grain: one row per model, temperature, setting, policy, domain
-- Which domains count as weak for a model, by its own natural accuracy in experiment 1, under each
-- policy: below its own median, or the two lowest where none is (the paper's); below a threshold
-- (set variable weak_below = 0.4); the k lowest (set variable weak_lowest = 3). Ties go together.
with ranked as (
    select
        family,
        model,
        temperature,
        setting,
        domain,
        natural_accuracy,
        median(natural_accuracy) over own as median_accuracy,
        min(natural_accuracy) over own as lowest,
        rank() over (
            partition by model, temperature, setting order by natural_accuracy
        ) as place
    from metric.metacog_domains
    where natural_accuracy is not null
    window own as (partition by model, temperature, setting)
)

select
    family,
    model,
    temperature,
    setting,
    domain,
    natural_accuracy,
    unnest([
        {
            'policy': 'median_or_bottom_k',
            'weak':
                if(lowest < median_accuracy, natural_accuracy < median_accuracy, place <= 2)
        },
        {
            'policy': 'threshold',
            'weak': natural_accuracy < coalesce(getvariable('weak_below'), 0.4)::double
        },
        {
            'policy': 'bottom_k',
            'weak': place <= coalesce(getvariable('weak_lowest'), 3)::integer
        }
    ], recursive := true)
from ranked
