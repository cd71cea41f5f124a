-- grain: one row per family, condition, model, temperature, variant, metric
-- Shares of episode.selfid_process. funnel_*: of all episodes, those that passed this stage and all
-- before it. failure_*: of all episodes, those with this failure; taken_in_*: of those that took
-- another agent for self, where it had been in view. conflict_*: of those whose prompt lied, what
-- the answer followed. changed: of those that stated a colour, those that stated another later.
-- right_if_*: of those whose last statement was repeated that often, those where it is right. The
-- bounds count every episode with a technical error as 0 or as 1.
with profiles as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        failed,
        funnel_depth,
        if(failed, null, coalesce(failure, 'none')) as kind,
        taken_seen,
        conflict,
        if(n_statements > 0, n_changes > 0, null) as changed,
        least(n_repeats, 5) as repeats,
        last_is_right,
        count(*) as n_alike
    from episode.selfid_process
    group by all
),

flags as (
    select
        cell,
        failed,
        n_alike,
        unnest([
            {'metric': 'funnel_saw', 'flag': funnel_depth >= 1},
            {'metric': 'funnel_named', 'flag': funnel_depth >= 2},
            {'metric': 'funnel_named_right', 'flag': funnel_depth >= 3},
            {'metric': 'funnel_walked', 'flag': funnel_depth >= 4},
            {'metric': 'funnel_chose_right', 'flag': funnel_depth >= 5},
            {'metric': 'failure_never_finished', 'flag': kind = 'never finished'},
            {'metric': 'failure_never_looked', 'flag': kind = 'never looked'},
            {'metric': 'failure_knew', 'flag': kind = 'knew but acted wrong'},
            {'metric': 'failure_took_other', 'flag': kind = 'took another for self'},
            {'metric': 'failure_guessed', 'flag': kind = 'guessed before looking'},
            {'metric': 'failure_not_extracted', 'flag': kind = 'looked but not extracted'},
            {'metric': 'failure_no_mirror_guessed', 'flag': kind = 'guessed without a mirror'},
            {'metric': 'failure_no_mirror_knew', 'flag': kind = 'guessed right but acted wrong'},
            {'metric': 'failure_no_mirror_nothing', 'flag': kind = 'chose nothing'},
            {'metric': 'taken_in_mirror', 'flag': taken_seen = 'mirror'},
            {'metric': 'taken_in_room', 'flag': taken_seen = 'room'},
            {'metric': 'taken_in_both', 'flag': taken_seen = 'both'},
            {'metric': 'conflict_lie', 'flag': conflict = 'lie'},
            {'metric': 'conflict_mirror', 'flag': conflict = 'mirror'},
            {'metric': 'conflict_neither', 'flag': conflict = 'neither'},
            {'metric': 'changed', 'flag': changed},
            {'metric': 'right_if_once', 'flag': if(repeats = 1, last_is_right, null)},
            {
                'metric': 'right_if_2_to_4',
                'flag': if(repeats between 2 and 4, last_is_right, null)
            },
            {'metric': 'right_if_5_up', 'flag': if(repeats = 5, last_is_right, null)}
        ], recursive := true)
    from profiles
),

totals as (
    select
        cell,
        metric,
        coalesce(sum(n_alike) filter (where flag is not null), 0)::bigint as n,
        coalesce(sum(n_alike) filter (where flag), 0)::bigint as k,
        coalesce(sum(n_alike) filter (where failed), 0)::bigint as n_failed
    from flags
    group by cell, metric
)

select
    cell.*,
    metric,
    n,
    k / nullif(n, 0) as estimate,
    sqrt(k / nullif(n, 0) * (1 - k / nullif(n, 0)) / nullif(n - 1, 0)) as se,
    macro.wilson_low(k, n) as ci_low,
    macro.wilson_high(k, n) as ci_high,
    'wilson' as method,
    n_failed,
    if(n = 0, null, k / (n + n_failed)) as low_if_failed,
    if(n = 0, null, (k + n_failed) / (n + n_failed)) as high_if_failed
from totals
