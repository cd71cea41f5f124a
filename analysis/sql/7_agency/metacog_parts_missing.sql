-- grain: one row per model, temperature, setting, information, paradigm, task_set, policy
-- CFR under what may be true of missing answers to weak-domain parts that the model went ahead on.
-- `cfr_low` and `cfr_high`: all right, all wrong: whatever they depend on, CFR lies between.
-- `cfr_complete`: left out. `cfr_weighted`: each answer stands for 1 / P(answered) parts of its
-- domain and difficulty, the share of them that was answered: right where answers are missing at
-- random within these. Parts of a domain and difficulty without any answer, `n_unweighted`, are
-- left out there. What was escalated is known.
with strata as (
    select
        family,
        model,
        temperature,
        setting,
        information,
        paradigm,
        task_set,
        policy,
        domain,
        difficulty,
        count(*) filter (where not proceeded) as n_escalated,
        count(*) filter (where proceeded) as n_proceeded,
        count(correct) filter (where proceeded) as n_answered,
        count(*) filter (where proceeded and correct = 0) as n_wrong
    from agency.metacog_parts
    where weak
    group by all
),

counts as (
    select
        family,
        model,
        temperature,
        setting,
        information,
        paradigm,
        task_set,
        policy,
        sum(n_escalated + n_proceeded) as n_weak,
        sum(n_proceeded - n_answered) as n_missing,
        sum(n_wrong) as n_wrong,
        sum(n_proceeded) filter (where n_answered = 0) as n_silent,
        sum(n_wrong * n_proceeded / n_answered) filter (where n_answered > 0) as weighted_wrong
    from strata
    group by family, model, temperature, setting, information, paradigm, task_set, policy
)

select
    * exclude (n_silent, weighted_wrong),
    coalesce(n_silent, 0) as n_unweighted,
    n_wrong / n_weak as cfr_low,
    n_wrong / nullif(n_weak - n_missing, 0) as cfr_complete,
    coalesce(weighted_wrong, 0) / nullif(n_weak - coalesce(n_silent, 0), 0) as cfr_weighted,
    (n_wrong + n_missing) / n_weak as cfr_high
from counts
