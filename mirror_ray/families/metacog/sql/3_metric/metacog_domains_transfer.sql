-- grain: one row per model, temperature, setting, channel
-- Experiment 2: Spearman's correlation over transfer tasks between the model's natural accuracy in
-- the hidden domain (experiment 1) and the channel's signal. TII is the mean of its absolute values
-- over valid channels (arXiv 2604.19809, appendix on metrics).
-- replies: where condition = 'exp2'
with tasks as (
    select
        transfer.family, transfer.model, transfer.temperature, transfer.setting, transfer.channel,
        transfer.cluster, transfer.signal, known.natural_accuracy
    from episode.metacog as transfer
    inner join metric.metacog_domains as known
        on
            transfer.model = known.model
            and transfer.temperature is not distinct from known.temperature
            and transfer.known_setting = known.setting
            and transfer.domain = known.domain
    where
        transfer.experiment = 'exp2' and not transfer.failed
        and transfer.signal is not null and known.natural_accuracy is not null
),

ranked as (
    select
        *,
        rank() over by_accuracy + (count(*) over same_accuracy - 1) / 2 as rank_1,
        rank() over by_signal + (count(*) over same_signal - 1) / 2 as rank_2
    from tasks
    window
        by_accuracy as (
            partition by model, temperature, setting, channel order by natural_accuracy
        ),
        same_accuracy as (
            partition by model, temperature, setting, channel, natural_accuracy
        ),
        by_signal as (partition by model, temperature, setting, channel order by signal),
        same_signal as (partition by model, temperature, setting, channel, signal)
)

select
    {described},
    channel,
    count(distinct cluster) as n,
    if(stddev_pop(rank_1) > 0 and stddev_pop(rank_2) > 0, corr(rank_1, rank_2), null) as spearman
from ranked
group by family, model, temperature, setting, channel
