-- grain: one row per condition, author, editor, reader, temperature, variant
-- The n×n table: how often a reader names the revised sentence (recognition), or its own of two
-- (authorship), with Wilson's interval and the exact one-sided binomial p of doing so by chance;
-- `p_holm` is adjusted within the table of one condition, temperature and variant.
with counts as (
    select
        family,
        condition,
        author,
        editor,
        reader,
        reads,
        pairing,
        temperature,
        variant,
        n_sentences,
        any_value(chance) as chance,
        count(accuracy) as n,
        coalesce(sum(accuracy), 0) as n_correct,
        sum(usable) as n_valid,
        count(*) filter (where failed) as n_failed
    from episode.textmirror
    where reader is not null
    group by all
),

tests as (
    select
        *,
        if(n > 0, macro.binomial_at_least(n_correct, n, chance), null) as p
    from counts
),

ranked as (
    select
        *,
        row_number() over one_table as rank_of_p,
        count(p) over (partition by condition, temperature, variant, reads) as n_tests
    from tests
    window one_table as (
        partition by condition, temperature, variant, reads
        order by p nulls last
    )
)

select
    family,
    condition,
    author,
    editor,
    reader,
    reads,
    pairing,
    temperature,
    variant,
    n_sentences,
    n,
    n_correct,
    n_correct / nullif(n, 0) as accuracy,
    macro.wilson_low(n_correct, n) as ci_low,
    macro.wilson_high(n_correct, n) as ci_high,
    chance,
    p,
    if(p is null, null, least(1.0, max((n_tests - rank_of_p + 1) * p) over (
        partition by condition, temperature, variant, reads
        order by rank_of_p
    ))) as p_holm,
    n_valid,
    n_failed
from ranked
