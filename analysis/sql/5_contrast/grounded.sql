-- grain: one row per family, condition, model, temperature, variant, picture, metric
-- What is lost without the picture: scores with it and with what the axis `picture` sends in its
-- place, on the same scenes; `variant` is the label without that axis. `grounded` is 1 - blind /
-- shown, NULL where the score with pictures is 0; its interval is Student's, of the ratio
-- linearised over scenes. Metrics of which less is better are left out; confidence is one of them
-- where it is asked.
-- replies: family; condition; model; variant = regexp_replace(variant, '[+]picture=[a-z_]+', '')
with pairs as (
    select
        scores.family, scores.condition, scores.model, scores.temperature, scores.cluster,
        scores.metric, shown.variant,
        macro.picture_of(scores.variant) as picture,
        avg(shown.score) as shown,
        avg(scores.score) as blind
    from metric.scores as scores
    inner join metric.scores as shown
        on
            scores.family = shown.family
            and scores.condition = shown.condition
            and scores.model = shown.model
            and scores.temperature is not distinct from shown.temperature
            and scores.cluster = shown.cluster
            and scores.item = shown.item
            and scores.scene_seed = shown.scene_seed
            and scores.run = shown.run
            and scores.metric = shown.metric
            and scores.parameters = shown.parameters
            and shown.variant = regexp_replace(scores.variant, '[+]picture=[a-z_]+', '')
    where
        macro.picture_of(scores.variant) <> 'shown'
        and scores.score is not null
        and shown.score is not null
        and scores.direction = 1
    group by all
),

means as (
    select
        *,
        count(*) over cell as n,
        avg(shown) over cell as shown_estimate,
        avg(blind) over cell as blind_estimate
    from pairs
    window cell as (
        partition by family, condition, model, temperature, variant, picture, metric
    )
),

shares as (
    select
        {cell},
        picture, metric, n, shown_estimate, blind_estimate,
        case when shown_estimate > 0 then 1 - blind_estimate / shown_estimate end as grounded,
        case
            when shown_estimate > 0 and n > 1 then stddev_samp(
                blind - shown * blind_estimate / shown_estimate
            ) / shown_estimate / sqrt(n)
        end as se
    from means
    group by
        family, condition, model, temperature, variant, picture, metric,
        n, shown_estimate, blind_estimate
)

select
    *,
    case when se > 0 then grounded - macro.t_95(n - 1) * se end as ci_low,
    case when se > 0 then least(grounded + macro.t_95(n - 1) * se, 1) end as ci_high
from shares
