-- grain: one row per condition, author, temperature, n_sentences
-- Stories with exactly as many sentences as were asked for: the others are not used.
with stories as (
    select
        family,
        condition,
        author,
        temperature,
        n_sentences,
        count(usable) as n,
        coalesce(sum(usable), 0) as n_kept,
        count(*) filter (where failed) as n_failed
    from episode.textmirror
    where condition in ('story', 'pooled_story')
    group by all
)

select
    *,
    n_kept / nullif(n, 0) as retention,
    macro.wilson_low(n_kept, n) as ci_low,
    macro.wilson_high(n_kept, n) as ci_high
from stories
