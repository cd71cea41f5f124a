-- grain: one row per model, temperature, setting, domain
-- Experiment 1 by domain: natural accuracy (channel 5) and wagering accuracy (channel 1, regardless
-- of the wager; arXiv 2604.19809, appendix on metrics), and their difference.
-- replies: where condition = 'exp1'
with domains as (
    select
        {described},
        domain,
        count(distinct cluster) filter (
            where channel = 'natural' and accuracy is not null
        ) as n_natural,
        count(distinct cluster) filter (
            where channel = 'wagering' and accuracy is not null
        ) as n_wagering,
        avg(accuracy) filter (where channel = 'natural') as natural_accuracy,
        avg(accuracy) filter (where channel = 'wagering') as wagering_accuracy
    from episode.metacog
    where experiment = 'exp1' and domain is not null
    group by family, model, temperature, setting, domain
)

select
    *,
    abs(wagering_accuracy - natural_accuracy) as gap
from domains
