-- grain: one row per model, temperature, setting, left_out
-- arXiv 2604.19809, Table 16: does MCI depend on the coefficient, or on one channel? `left_out`
-- NULL is over all pairs of channels; otherwise over those without that channel. `mci_kendall` uses
-- Kendall's tau-b instead of Spearman's correlation. NULL if no pair is valid.
-- replies: where condition = 'exp1'
with left_out_channels as (
    select distinct
        model, temperature, setting,
        unnest([channel_1, channel_2, null]) as left_out
    from metric.metacog_convergence
)

select
    pairs.family, pairs.model, pairs.temperature, pairs.setting, left_out_channels.left_out,
    count(pairs.spearman) as n_pairs,
    avg(pairs.spearman) as mci,
    avg(pairs.kendall) as mci_kendall
from left_out_channels
inner join metric.metacog_convergence as pairs
    on
        left_out_channels.model = pairs.model
        and left_out_channels.temperature is not distinct from pairs.temperature
        and left_out_channels.setting = pairs.setting
        and (
            left_out_channels.left_out is null
            or left_out_channels.left_out not in (pairs.channel_1, pairs.channel_2)
        )
group by all
order by
    pairs.setting, pairs.temperature, pairs.model,
    left_out_channels.left_out nulls first
