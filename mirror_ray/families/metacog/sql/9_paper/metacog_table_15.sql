-- grain: one row per model, temperature, setting
-- arXiv 2604.19809, Table 15: does the gap come from the format? Accuracy of experiment 1 in free
-- text, in the wager's format without stakes, and with stakes; `format_effect` and `wager_effect`
-- are the two steps between them. Each question is the mean of its repetitions.
-- replies: where condition = 'exp1'
with questions as (
    select
        model, temperature, setting, channel, cluster,
        avg(accuracy) as accuracy
    from episode.metacog
    where experiment = 'exp1' and accuracy is not null
    group by all
),

channels as (
    select
        model, temperature, setting,
        avg(accuracy) filter (where channel = 'natural') as nat_acc,
        avg(accuracy) filter (where channel = 'matched') as struct_acc,
        avg(accuracy) filter (where channel = 'wagering') as wag_acc,
        count(*) filter (where channel = 'matched') as n
    from questions
    group by all
)

select
    channels.model, channels.temperature, channels.setting, channels.nat_acc, channels.struct_acc,
    channels.wag_acc,
    channels.struct_acc - channels.nat_acc as format_effect,
    channels.wag_acc - channels.struct_acc as wager_effect,
    channels.n,
    if(printed.model is null, null, printed) as reference,
    if(printed.model is null, null, 'arXiv 2604.19809, Table 15') as cited
from channels
left join macro.metacog_table_15() as printed on macro.mirror_name(channels.model) = printed.model
where channels.struct_acc is not null
order by channels.setting, channels.temperature, channels.model
