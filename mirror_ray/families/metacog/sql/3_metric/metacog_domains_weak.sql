-- grain: one row per model, temperature, setting, policy, domain
-- Weak domains of a model, by its natural accuracy in experiment 1, under each policy: below its
-- median, or else the two lowest (the paper's, and the route `median`); below a threshold (set
-- variable weak_below = 0.4); the k lowest (set variable weak_lowest = 3); and the other routes of
-- experiment 9. Of equal accuracies the domain listed first is lower, as in play.
-- replies: where condition = 'exp1'
with ranked as (
    select
        {described},
        domain,
        natural_accuracy,
        median(natural_accuracy) over own as median_accuracy,
        min(natural_accuracy) over own as lowest,
        row_number() over (
            partition by model, temperature, setting
            order by natural_accuracy, macro.domain_place(domain), domain
        ) as place
    from metric.metacog_domains
    where natural_accuracy is not null
    window own as (partition by model, temperature, setting)
)

select
    {described},
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
        },
        {'policy': 'below_0.5', 'weak': natural_accuracy < 0.5},
        {'policy': 'below_0.4', 'weak': natural_accuracy < 0.4},
        {'policy': 'bottom_2', 'weak': place <= 2},
        {'policy': 'bottom_3', 'weak': place <= 3}
    ], recursive := true)
from ranked
