-- grain: one row per temperature, setting, route, lab
-- arXiv 2604.19809, provider analysis: do a lab's models fail differently from all others? CFR
-- without information (C1), for fixed tasks and all paradigms; Mann and Whitney's U, with p by the
-- normal approximation, corrected for ties and continuity. `lab` is that of the catalogue, else
-- from the name. NULL with fewer than two models on either side.
-- replies: where experiment = 'exp9'
with models as (
    select
        temperature, setting, route, model,
        macro.model_family_lab(model) as lab,
        cfr
    from agency.metacog_parts_outcomes
    where
        information = 'C1' and paradigm = 'all' and task_set = 'fixed'
        and policy = 'median_or_bottom_k' and cfr is not null
),

ranked as (
    select
        *,
        rank() over equal_runs
        + (count(*) over (partition by temperature, setting, route, cfr) - 1) / 2 as place
    from models
    window equal_runs as (partition by temperature, setting, route order by cfr)
),

tied as (
    select
        temperature, setting, route,
        sum(n) as n_all,
        sum(n ** 3 - n) as ties,
        sum(total) as total
    from (
        select
            temperature, setting, route, cfr,
            count(*) as n,
            sum(cfr) as total
        from models
        group by all
    )
    group by all
),

labs as (
    select
        ranked.temperature, ranked.setting, ranked.route, ranked.lab,
        count(*) as n_models,
        any_value(tied.n_all) - count(*) as n_others,
        avg(ranked.cfr) as cfr,
        (any_value(tied.total) - sum(ranked.cfr)) / nullif(any_value(tied.n_all) - count(*), 0)
        as cfr_others,
        sum(ranked.place) - count(*) * (count(*) + 1) / 2 as u,
        any_value(tied.n_all) as n_all,
        any_value(tied.ties) as ties
    from ranked
    inner join tied
        on
            ranked.temperature is not distinct from tied.temperature
            and ranked.setting = tied.setting
            and ranked.route = tied.route
    where ranked.lab is not null
    group by ranked.temperature, ranked.setting, ranked.route, ranked.lab
),

spread as (
    select
        *,
        sqrt(
            n_models * n_others / 12 * (n_all + 1 - ties / nullif(n_all * (n_all - 1), 0))
        ) as sd
    from labs
)

select
    * exclude (n_all, ties, sd),
    if(
        n_models > 1 and n_others > 1 and sd > 0,
        macro.chi2_above(
            (greatest(0, abs(u - n_models * n_others / 2) - 0.5) / sd) ** 2, 1
        ),
        null
    ) as p,
    if(
        lab = 'Meta', struct_pack(cfr := 0.624e0, cfr_others := 0.720e0, p := 0.14e0), null
    ) as reference,
    if(lab = 'Meta', 'arXiv 2604.19809, provider analysis', null) as cited
from spread
order by setting, temperature, route, lab
