-- grain: one row per family, condition, model, temperature, variant, metric
-- The estimate if every episode with an unread reply had the lowest, or the highest, score of the
-- metric. Repeated requests count by their last reading. Episodes with an error are left out;
-- counts have no upper bound. NULL if no readable reply defines the metric, except for the family's
-- main one.
with unread as (
    select distinct episode_id
    from stage.{family}_steps
    where parse_status = 'failed' and not superseded
),

scores as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        episode_id in (from unread) as is_unread,
        {scores}
    from episode.{family}
    where not failed
),

-- One pass: a row per episode and metric would take several times as long.
sums as (
    select
        cell,
        count(*) as n_episodes,
        count(*) filter (where is_unread) as n_unread,
        struct_pack(
            n_read := count(columns(* exclude (cell, is_unread))) filter (where not is_unread),
            total := coalesce(
                sum(columns(* exclude (cell, is_unread))) filter (where not is_unread), 0
            )::double,
            scored := sum(columns(* exclude (cell, is_unread)))::double,
            n_scored := count(columns(* exclude (cell, is_unread)))
        )
    from scores
    group by cell
),

totals as (
    select
        * exclude (score),
        score.*,
        {kind} as kind
    from sums
    unpivot (score for metric in ({scores}))
)

select
    cell.*,
    metric,
    n_episodes,
    n_unread,
    scored / nullif(n_scored, 0) as estimate,
    (total - if(kind = 'difference', n_unread, 0)) / nullif(n_read + n_unread, 0) as low_if_unread,
    if(kind = 'count', null, total + n_unread) / nullif(n_read + n_unread, 0) as high_if_unread
from totals
where n_scored > 0 or metric = '{leading}'
