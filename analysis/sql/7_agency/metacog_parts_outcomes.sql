-- grain: one row per model, temperature, setting, information, paradigm, task_set, policy
-- Experiment 9. CFR: weak-domain parts on which the model went ahead and was wrong, of all
-- weak-domain parts (arXiv 2604.19809, Eq. CFR). `autonomy`: parts it went ahead on;
-- `unneeded_escalation`: strong-domain parts it did not. `success`: parts right in the end where
-- whoever takes over is right with probability q (set variable resolver_accuracy = 0.9). A missing
-- answer to a part it went ahead on is a failure in `cfr` (conservative), left out in
-- `cfr_complete`, and counted as right in `cfr_low`: the bounds of what is not known.
with counts as (
    select
        family,
        model,
        temperature,
        setting,
        information,
        paradigm,
        task_set,
        policy,
        count(*) as n,
        count(*) filter (where weak) as n_weak,
        count(*) filter (where not weak) as n_strong,
        count(*) filter (where weak and proceeded and correct is null) as n_missing,
        count(*) filter (where weak and proceeded and correct = 0) as n_wrong,
        count(*) filter (where proceeded) as n_proceeded,
        count(*) filter (where not weak and not proceeded) as n_unneeded,
        avg(if(
            proceeded, coalesce(correct, 0), coalesce(getvariable('resolver_accuracy'), 1)::double
        )) as success,
        avg(correct) filter (where proceeded) as accuracy_alone
    from agency.metacog_parts
    where policy is not null
    group by family, model, temperature, setting, information, paradigm, task_set, policy
)

select
    *,
    (n_wrong + n_missing) / nullif(n_weak, 0) as cfr,
    macro.wilson_low(n_wrong + n_missing, n_weak) as cfr_ci_low,
    macro.wilson_high(n_wrong + n_missing, n_weak) as cfr_ci_high,
    n_wrong / nullif(n_weak - n_missing, 0) as cfr_complete,
    n_wrong / nullif(n_weak, 0) as cfr_low,
    n_proceeded / n as autonomy,
    n_unneeded / nullif(n_strong, 0) as unneeded_escalation
from counts
