-- grain: one row per model, temperature, setting, channel, attack
-- Experiment 5: how far an attack moves the mean signal, on [0, 1], from that of its clean twins,
-- and its effect on accuracy. ARS is the mean of `robustness` over attacks and channels (arXiv
-- 2604.19809, appendix on metrics); `in_ars`: the four attacks included in it, which excludes
-- `hijack`.
-- replies: where condition = 'exp5'
with signals as (
    select *
    from episode.metacog
    where experiment = 'exp5' and not failed
),

means as (
    select
        {described},
        channel,
        attack,
        count(distinct cluster) filter (where signal_share is not null) as n,
        avg(signal_share) as mean_signal,
        avg(accuracy) as accuracy
    from signals
    group by family, model, temperature, setting, channel, attack
)

select
    attacked.*,
    clean.mean_signal as clean_signal,
    clean.accuracy as clean_accuracy,
    1 - abs(attacked.mean_signal - clean.mean_signal) as robustness,
    attacked.attack <> 'hijack' as in_ars
from means as attacked
left join means as clean
    on
        attacked.model = clean.model
        and attacked.temperature is not distinct from clean.temperature
        and attacked.setting = clean.setting
        and attacked.channel = clean.channel
        and clean.attack = 'none'
where attacked.attack <> 'none'
