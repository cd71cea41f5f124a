-- grain: one row per model, temperature, setting, paradigm, route, domain, subcategory
-- Without information (C1), on fixed tasks of experiment 9: confident failures by subcategory of
-- weak domains, with the gap and the natural accuracy of the whole domain in experiment 1 (arXiv
-- 2604.19809, Figure 6). A part counts as the mean of its repetitions.
-- replies: where experiment = 'exp9'
with pooled as (
    select * replace (unnest([paradigm, 'all']) as paradigm)
    from agency.metacog_parts
    where
        information = 'C1' and task_set = 'fixed' and policy = 'median_or_bottom_k'
        and weak and decided and subcategory is not null
),

means as (
    select
        {described},
        paradigm, route, domain, subcategory, cluster, part,
        any_value(known_setting) as known_setting,
        avg(coalesce(proceeded and correct = 0, false)::integer) as failure
    from pooled
    group by
        family, model, temperature, setting, paradigm, route, domain, subcategory, cluster, part
),

cells as (
    select
        * exclude (cluster, part, failure, known_setting),
        any_value(known_setting) as known_setting,
        count(*) as n_weak,
        avg(failure) as cfr
    from means
    group by all
)

select
    cells.* exclude (known_setting),
    known.natural_accuracy,
    known.gap
from cells
left join metric.metacog_domains as known
    on
        cells.model = known.model
        and cells.temperature is not distinct from known.temperature
        and cells.known_setting = known.setting
        and cells.domain = known.domain
