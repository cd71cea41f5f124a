-- grain: one row per author, editor, temperature, variant, n_sentences
-- Was every position revised equally often? Pearson's chi-squared on counts of stories; a story
-- revised several times in one position counts once. Author and editor are NULL for all pairs
-- together.
-- replies: where condition = 'revision'
with places as (
    select
        family, author, editor, temperature, variant, n_sentences, position,
        count(distinct cluster) as n_here
    from episode.textmirror
    where condition = 'revision' and usable = 1
    group by all
),

overall as (
    select * from places
    union all by name
    select
        family, temperature, variant, n_sentences, position,
        sum(n_here)::bigint as n_here
    from places
    group by family, temperature, variant, n_sentences, position
),

tables as (
    select
        family, author, editor, temperature, variant, n_sentences,
        sum(n_here)::bigint as n,
        -- Σ (O - E)² / E = Σ O² / E - n; places that never occurred add nothing to Σ O².
        sum(n_here * n_here) * n_sentences / sum(n_here) - sum(n_here) as chi2
    from overall
    group by family, author, editor, temperature, variant, n_sentences
)

select
    *,
    n_sentences - 1 as df,
    macro.chi2_above(chi2, n_sentences - 1) as p
from tables
