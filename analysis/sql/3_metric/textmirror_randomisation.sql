-- grain: one row per author, editor, temperature, n_sentences
-- Was every place revised equally often? Pearson's chi-squared on counts, over the revisions made.
with places as (
    select
        family,
        author,
        editor,
        temperature,
        n_sentences,
        position,
        count(*) as n_here
    from episode.textmirror
    where condition = 'revision' and usable = 1
    group by all
),

tables as (
    select
        family,
        author,
        editor,
        temperature,
        n_sentences,
        sum(n_here)::bigint as n,
        -- Σ (O - E)² / E = Σ O² / E - n; places that never occurred add nothing to Σ O².
        sum(n_here * n_here) * n_sentences / sum(n_here) - sum(n_here) as chi2
    from places
    group by family, author, editor, temperature, n_sentences
)

select
    *,
    n_sentences - 1 as df,
    macro.chi2_above(chi2, n_sentences - 1) as p
from tables
