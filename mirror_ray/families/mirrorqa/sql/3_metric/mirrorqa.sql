-- grain: one row per family, condition, model, temperature, variant, metric
-- "MirrorQA": accuracy; precision and recall as macro means within the questions of two and of four
-- options, weighted by their counts; F1 from the weighted two. position_bias is the distance (half
-- the sum of differences) between the positions chosen and those of the right options; frame_effect
-- is same_frame - other_frame, normal approximation. `n` pictures or scenes: shares have Wilson's
-- interval on their effective number, differences one cut at the ends of their scale, and none
-- without any spread. Episodes with an error are left out; low_if_failed and high_if_failed bound
-- their effect.
with scores as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        cluster,
        failed,
        metric,
        score,
        {chance} as chance
    from episode.mirrorqa
    unpivot include nulls (
        score for metric in (
            {scores}
        )
    )
),

units as (
    select
        cell,
        metric,
        cluster,
        count(score) as unit_n,
        coalesce(sum(score), 0)::double as unit_sum,
        count(*) filter (where failed) as n_failed,
        sum(chance) filter (where score is not null) as chance_sum
    from scores
    group by cell, metric, cluster
),

means as (
    select
        cell,
        metric,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) as total,
        sum(unit_sum) / nullif(sum(unit_n), 0) as estimate,
        macro.clustered_se(unit_sum, unit_n) as se,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective,
        metric = 'circular_delta' as is_difference,
        sum(n_failed)::bigint as n_failed,
        sum(chance_sum) / nullif(sum(unit_n), 0) as chance
    from units
    group by cell, metric
),

macros as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        * exclude (family, condition, model, temperature, variant, run)
    from episode.mirrorqa_macros
    where run is null
),

places as (
    select
        struct_pack(
            scores.family, scores.condition, scores.model, scores.temperature, scores.variant
        ) as cell,
        scores.n_options,
        unnest(range(1, scores.n_options + 1)) as position,
        count(*) as n_asks,
        count(asks.choice_position) as n_readable,
        count(distinct scores.cluster) filter (where asks.choice_position is not null) as n,
        count(distinct scores.episode_id) filter (
            where asks.choice_position is not null
        ) as n_episodes,
        list(asks.choice_position) as choices,
        list(asks.answer_position) as answers
    from stage.mirrorqa_asks as asks
    inner join episode.mirrorqa as scores using (episode_id)
    where not scores.failed
    group by cell, scores.n_options
),

leanings as (
    select
        * exclude (choices, answers),
        abs(
            len(list_filter(choices, lambda place: place = position)) / nullif(n_readable, 0)
            - len(list_filter(answers, lambda place: place = position)) / n_asks
        ) as leaning
    from places
),

-- A picture may have questions of two and of four options: it is one unit of both together.
pictures as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        count(distinct cluster) filter (where not failed) as n
    from episode.mirrorqa
    group by cell
),

weighted as (
    select
        macros.cell,
        any_value(pictures.n) as n,
        sum(macros.n_episodes)::bigint as n_episodes,
        sum(macros.precision * macros.n_episodes) / nullif(sum(macros.n_episodes), 0) as precision,
        sum(macros.recall * macros.n_episodes) / nullif(sum(macros.n_episodes), 0) as recall
    from macros
    inner join pictures using (cell)
    group by macros.cell
),

derived as (
    select
        cell,
        n,
        n_episodes,
        unnest([
            {'metric': 'precision_' || n_options, 'estimate': precision},
            {'metric': 'recall_' || n_options, 'estimate': recall},
            {'metric': 'f1_' || n_options, 'estimate': f1}
        ], recursive := true)
    from macros
    union all by name
    select
        cell,
        n,
        n_episodes,
        unnest([
            {'metric': 'precision', 'estimate': precision},
            {'metric': 'recall', 'estimate': recall},
            {'metric': 'f1', 'estimate': macro.f1(precision, recall)}
        ], recursive := true)
    from weighted
    union all by name
    select
        cell,
        any_value(n) as n,
        any_value(n_episodes) as n_episodes,
        'position_bias_' || n_options as metric,
        sum(leaning) / 2 as estimate
    from leanings
    group by cell, n_options
),

frames as (
    select
        same.cell,
        same.n + other.n as n,
        same.n_episodes + other.n_episodes as n_episodes,
        same.estimate - other.estimate as estimate,
        sqrt(same.se ** 2 + other.se ** 2) as se
    from means as same
    inner join means as other using (cell)
    where same.metric = 'same_frame' and other.metric = 'other_frame'
)

select
    cell.*,
    metric,
    n,
    n_episodes,
    estimate,
    se,
    case
        when not is_difference then macro.wilson_low(estimate * n_effective, n_effective)
        when se > 0 then greatest(estimate - macro.t_95(n - 1) * se, -1)
    end as ci_low,
    case
        when not is_difference then macro.wilson_high(estimate * n_effective, n_effective)
        when se > 0 then least(estimate + macro.t_95(n - 1) * se, 0)
    end as ci_high,
    if(is_difference, 't', 'wilson') as method,
    chance,
    n_failed,
    (total - if(is_difference, n_failed, 0)) / nullif(n_episodes + n_failed, 0) as low_if_failed,
    (total + if(is_difference, 0, n_failed)) / nullif(n_episodes + n_failed, 0) as high_if_failed
from means
union all by name
select
    cell.*,
    * exclude (cell),
    null::double as se,
    null::double as ci_low,
    null::double as ci_high,
    null::varchar as method,
    null::double as chance,
    0 as n_failed
from derived
union all by name
select
    cell.*,
    * exclude (cell),
    'frame_effect' as metric,
    if(se > 0, greatest(estimate - 1.959963984540054 * se, -1), null) as ci_low,
    if(se > 0, least(estimate + 1.959963984540054 * se, 1), null) as ci_high,
    'normal' as method,
    0 as n_failed
from frames
