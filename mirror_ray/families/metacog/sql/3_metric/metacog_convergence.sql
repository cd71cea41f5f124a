-- grain: one row per model, temperature, setting, channel_1, channel_2
-- Experiment 1: do two channels agree on which questions a model is sure of? Spearman's correlation
-- of their signals over the questions that have both; NULL if either never varies. MCI is their
-- signed mean over valid pairs (arXiv 2604.19809, appendix on metrics). `kendall` is tau-b.
-- replies: where condition = 'exp1'
with signals as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        channel, scene_seed, run, cluster, signal
    from episode.metacog
    where
        experiment = 'exp1' and not failed and signal is not null
        and channel in ('wagering', 'opt_out', 'difficulty', 'tools', 'natural')
),

pairs as (
    select
        one.cell,
        one.channel as channel_1,
        two.channel as channel_2,
        one.cluster,
        one.signal as signal_1,
        two.signal as signal_2
    from signals as one
    inner join signals as two
        on
            one.cell = two.cell
            and one.scene_seed = two.scene_seed
            and one.run = two.run
            and one.cluster = two.cluster
            and one.channel < two.channel
),

ranked as (
    select
        * exclude (signal_1, signal_2),
        -- Ties share the mean of their ranks.
        rank() over first + (count(*) over first_ties - 1) / 2 as rank_1,
        rank() over second + (count(*) over second_ties - 1) / 2 as rank_2
    from pairs
    window
        first as (partition by cell, channel_1, channel_2 order by signal_1),
        first_ties as (partition by cell, channel_1, channel_2, signal_1),
        second as (partition by cell, channel_1, channel_2 order by signal_2),
        second_ties as (partition by cell, channel_1, channel_2, signal_2)
),

spearmans as (
    select
        cell, channel_1, channel_2,
        count(distinct cluster) as n,
        if(stddev_pop(rank_1) > 0 and stddev_pop(rank_2) > 0, corr(rank_1, rank_2), null)
            as spearman
    from ranked
    group by cell, channel_1, channel_2
),

-- Signals have few values: pairs of values replace pairs of questions.
levels as (
    select
        cell, channel_1, channel_2, signal_1, signal_2,
        count(*)::double as n
    from pairs
    group by all
),

kendalls as (
    select
        one.cell, one.channel_1, one.channel_2,
        sum(
            one.n
            * two.n
            * sign(one.signal_1 - two.signal_1)
            * sign(one.signal_2 - two.signal_2)
        )
        / nullif(
            sqrt(
                sum(one.n * two.n * (one.signal_1 <> two.signal_1)::integer)
                * sum(one.n * two.n * (one.signal_2 <> two.signal_2)::integer)
            ),
            0
        ) as kendall
    from levels as one
    inner join levels as two using (cell, channel_1, channel_2)
    group by all
)

select
    unnest(cell),
    * exclude (cell)
from spearmans
inner join kendalls using (cell, channel_1, channel_2)
