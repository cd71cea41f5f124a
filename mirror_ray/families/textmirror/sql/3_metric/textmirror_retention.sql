-- grain: one row per condition, author, temperature, n_sentences
-- Stories with exactly the requested number of sentences; others are not used. `n` seeds, for which
-- `n_episodes` stories were written, with Wilson's interval on their effective number.
-- replies: condition; author = model; temperature
with units as (
    select
        family, condition, author, temperature, n_sentences, cluster,
        count(usable) as unit_n,
        coalesce(sum(usable), 0)::double as unit_sum,
        count(*) filter (where failed) as n_failed
    from episode.textmirror
    where condition in ('story', 'pooled_story')
    group by all
),

stories as (
    select
        family, condition, author, temperature, n_sentences,
        count(*) filter (where unit_n > 0) as n,
        count(*) filter (where unit_n > 0) as n_seeds,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum)::bigint as n_kept,
        sum(n_failed)::bigint as n_failed,
        sum(unit_sum) / nullif(sum(unit_n), 0) as retention,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by family, condition, author, temperature, n_sentences
)

select
    * exclude (n_effective),
    macro.wilson_low(retention * n_effective, n_effective) as ci_low,
    macro.wilson_high(retention * n_effective, n_effective) as ci_high
from stories
