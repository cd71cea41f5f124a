-- grain: one row per model, temperature, setting, information, paradigm, task_set, route, policy
-- CFR under assumptions about missing answers to weak-domain parts that the model kept. `cfr_low`
-- and `cfr_high`: all right, all wrong; CFR is between these in any case. `cfr_complete`: they are
-- left out. `cfr_weighted`: each answer represents 1 / P(answered) parts of its domain and
-- difficulty, which is correct if answers are missing at random within these. Parts of a domain and
-- difficulty without any answer, `n_unweighted`, are left out there. Escalated parts are known. A
-- part counts once, in equal shares of its repetitions, and of paradigms if `paradigm` is "all".
-- replies: model; temperature; setting; information where experiment = 'exp9'
with pooled as (
    select * replace (unnest([paradigm, 'all']) as paradigm)
    from agency.metacog_parts
    where weak
),

cells as (
    select
        *,
        struct_pack(
            family, model, temperature, setting, information, paradigm, task_set, route, policy
        ) as cell
    from pooled
),

parts as (
    select
        *,
        1 / count(*) over (partition by cell, cluster, part) as weight
    from cells
),

strata as (
    select
        cell, domain, difficulty,
        sum(weight) as n_weak,
        coalesce(sum(weight) filter (where proceeded), 0) as n_proceeded,
        coalesce(sum(weight) filter (where proceeded and correct is not null), 0) as n_answered,
        coalesce(sum(weight) filter (where proceeded and correct = 0), 0) as n_wrong
    from parts
    group by all
),

counts as (
    select
        cell,
        -- Shares of one part add up to it, except for rounding.
        round(sum(n_weak), 9) as n_weak,
        round(sum(n_proceeded - n_answered), 9) as n_missing,
        round(sum(n_wrong), 9) as n_wrong,
        round(sum(n_proceeded) filter (where n_answered = 0), 9) as n_silent,
        sum(n_wrong * n_proceeded / n_answered) filter (where n_answered > 0) as weighted_wrong
    from strata
    group by cell
)

select
    cell.*,
    * exclude (cell, n_silent, weighted_wrong),
    coalesce(n_silent, 0) as n_unweighted,
    n_wrong / n_weak as cfr_low,
    n_wrong / nullif(n_weak - n_missing, 0) as cfr_complete,
    coalesce(weighted_wrong, 0) / nullif(n_weak - coalesce(n_silent, 0), 0) as cfr_weighted,
    (n_wrong + n_missing) / n_weak as cfr_high
from counts
