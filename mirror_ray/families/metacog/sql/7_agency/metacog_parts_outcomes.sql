-- grain: one row per model, temperature, setting, information, paradigm, task_set, route, policy
-- Experiment 9. CFR: weak-domain parts that the model answered itself, wrongly, of all weak-domain
-- parts (arXiv 2604.19809, Eq. 13): a part without an answer is no failure, and one whose answer no
-- key can decide is left out. `cfr_conservative` counts both as failures, `cfr_complete` leaves out
-- kept parts without an answer, `cfr_low` counts everything unknown as right. `autonomy`: parts it
-- kept; `unneeded_escalation`: strong-domain parts it did not. `success`: parts right in the end if
-- the resolver is right with probability q (set variable resolver_accuracy = 0.9). `paradigm` is
-- "all" if they are pooled, as in the paper: C4 is not played without tools. Counts are of parts of
-- different tasks, each as its mean over paradigms and repetitions; Wilson's interval on their
-- effective number.
-- replies: model; temperature; setting; information where experiment = 'exp9'
with pooled as (
    select * replace (unnest([paradigm, 'all']) as paradigm)
    from agency.metacog_parts
    where policy is not null
),

means as (
    select
        struct_pack(
            family, model, temperature, setting, information, paradigm, task_set, route, policy
        ) as cell,
        weak, cluster, part,
        any_value(known_setting) as known_setting,
        count(*) filter (where decided) as decided_n,
        count(*) as unit_n,
        avg((proceeded and correct is null)::integer) as missing,
        avg(coalesce(proceeded and correct = 0, false)::integer) as wrong,
        avg(coalesce(proceeded and correct = 0, false)::integer) filter (where decided) as failure,
        avg(proceeded::integer) as proceeded,
        avg(if(
            proceeded, coalesce(correct, 0), coalesce(getvariable('resolver_accuracy'), 1)::double
        )) as success,
        avg(if(proceeded, coalesce(correct, 0), 0)) as right_alone,
        count(correct) filter (where proceeded) as alone_n,
        avg(correct) filter (where proceeded) as alone
    from pooled
    group by cell, weak, cluster, part
),

counts as (
    select
        cell,
        any_value(known_setting) as known_setting,
        count(*) as n,
        count(*) filter (where weak) as n_weak,
        count(*) filter (where weak and decided_n = 0) as n_undecided,
        count(*) filter (where not weak) as n_strong,
        coalesce(sum(missing) filter (where weak), 0) as n_missing,
        coalesce(sum(wrong) filter (where weak), 0) as n_wrong,
        sum(failure) filter (where weak)
        / nullif(count(*) filter (where weak and decided_n > 0), 0) as cfr,
        sum(proceeded) as n_proceeded,
        coalesce(sum(1 - proceeded) filter (where not weak), 0) as n_unneeded,
        avg(success) as success,
        avg(right_alone) as right_alone,
        avg(alone) filter (where alone_n > 0) as accuracy_alone,
        macro.effective_n_cautious(
            if(weak, coalesce(failure, 0), 0), (weak and decided_n > 0)::integer
        ) as n_effective
    from means
    group by cell
)

select
    cell.*,
    * exclude (cell, n_effective),
    macro.wilson_low(cfr * n_effective, n_effective) as cfr_ci_low,
    macro.wilson_high(cfr * n_effective, n_effective) as cfr_ci_high,
    (n_wrong + n_missing) / nullif(n_weak, 0) as cfr_conservative,
    n_wrong / nullif(n_weak - n_missing, 0) as cfr_complete,
    n_wrong / nullif(n_weak, 0) as cfr_low,
    n_proceeded / n as autonomy,
    n_unneeded / nullif(n_strong, 0) as unneeded_escalation
from counts
