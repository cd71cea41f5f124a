-- grain: one row per family, condition, model, temperature, setting, metric
-- Whether a model knows when it misreads what it sees, and acts on it: measures of arXiv 2604.19809
-- on pictures, only for settings with a channel other than natural.
--   accuracy_<channel>   right answers; a question handed over has none
--   gap                  distance of accuracy_wager and accuracy_natural
--   skipped              share handed over, of what could be
--   cfr                  confident failures: wrong and not handed over, of what could be
--   sureness_right, sureness_wrong   mean bet of right and of wrong answers, on [0, 1]
--   ece_<channel>, brier_<channel>   distance of sureness and accuracy, in ten bins; squared
--   auroc_<channel>      how often right answers have more sureness than wrong ones (ties: half)
-- Shares have Wilson's interval on their effective number of units (`n`); the rest have no
-- interval. Undefined values are NULL.
-- replies: family; condition; model; setting = regexp_replace(variant, '\+channel=\w+', '')
with answers as (
    select
        *,
        struct_pack(family, condition, model, temperature, setting) as cell
    from metric.sureness_answers
),

asked as (
    select
        *,
        count(*) filter (where channel <> 'natural') over (partition by cell) > 0 as is_staked
    from answers
),

episodes as (
    select
        * exclude (is_staked),
        skipped and channel = 'opt_out' as is_skip,
        rank() over (
            partition by cell, channel, sureness is not null and is_right is not null
            order by sureness
        ) as lowest_rank,
        count(*) over (
            partition by cell, channel, sureness is not null and is_right is not null, sureness
        ) as n_tied,
        least(9, floor(sureness * 10))::integer as bin
    from asked
    where is_staked and not failed
),

measured as (
    select
        cell,
        cluster,
        unnest([
            {'metric': 'accuracy_' || channel, 'score': is_right},
            {'metric': if(channel = 'opt_out', 'skipped', null), 'score': is_skip::integer},
            {
                'metric': if(channel = 'opt_out', 'cfr', null),
                'score': if(
                    is_skip or is_right is not null,
                    (not is_skip and is_right = 0)::integer,
                    null
                )
            }
        ], recursive := true)
    from episodes
),

scores as (
    select
        struct_pack(cell, metric) as cell,
        cluster,
        score
    from measured
    where metric is not null
),

shares as (
    select
        unnest(cell),
        * exclude (cell)
    from macro.clustered_shares(scores)
),

gaps as (
    select
        wager.cell,
        'gap' as metric,
        least(wager.n, plain.n) as n,
        wager.n_episodes + plain.n_episodes as n_episodes,
        abs(wager.estimate - plain.estimate) as estimate
    from shares as wager
    inner join shares as plain using (cell)
    where wager.metric = 'accuracy_wager' and plain.metric = 'accuracy_natural'
),

sure as (
    select
        *,
        lowest_rank + (n_tied - 1) / 2 as mean_rank
    from episodes
    where sureness is not null and is_right is not null
),

bins as (
    select
        cell, channel, bin,
        count(*) as n_bin,
        -- Ordered, so that the last digit is reproducible.
        abs(sum(sureness order by sureness) - sum(is_right)) as distance
    from sure
    group by cell, channel, bin
),

distances as (
    select
        cell,
        channel,
        sum(distance order by bin) / sum(n_bin) as ece
    from bins
    group by cell, channel
),

judged as (
    select
        cell,
        channel,
        count(distinct cluster) as n,
        count(*) as n_episodes,
        count(distinct cluster) filter (where is_right = 1) as n_right,
        count(distinct cluster) filter (where is_right = 0) as n_wrong,
        count(*) filter (where is_right = 1) as n_hits,
        count(*) filter (where is_right = 0) as n_misses,
        avg(sureness order by sureness) filter (where is_right = 1) as sure_right,
        avg(sureness order by sureness) filter (where is_right = 0) as sure_wrong,
        avg((sureness - is_right) ** 2 order by sureness, is_right) as brier,
        (sum(mean_rank) filter (where is_right = 1) - n_hits * (n_hits + 1) / 2)
        / nullif(n_hits * n_misses, 0) as auroc
    from sure
    group by cell, channel
),

derived as (
    select
        cell,
        unnest([
            {'metric': 'ece_' || channel, 'n': n, 'n_episodes': n_episodes, 'estimate': ece},
            {
                'metric': 'brier_' || channel,
                'n': n,
                'n_episodes': n_episodes,
                'estimate': brier
            },
            {
                'metric': 'auroc_' || channel,
                'n': n,
                'n_episodes': n_episodes,
                'estimate': auroc
            },
            {
                'metric': if(channel = 'wager', 'sureness_right', null),
                'n': n_right,
                'n_episodes': n_hits,
                'estimate': sure_right
            },
            {
                'metric': if(channel = 'wager', 'sureness_wrong', null),
                'n': n_wrong,
                'n_episodes': n_misses,
                'estimate': sure_wrong
            }
        ], recursive := true)
    from judged
    inner join distances using (cell, channel)
)

select
    cell.*,
    * exclude (cell)
from (
    from shares
    union all by name
    from gaps
    union all by name
    from derived
    where metric is not null
)
