-- grain: one row per condition, author, editor, reader, temperature, variant
-- The n×n table: how often a reader names the revised sentence (recognition), or its own of two
-- (authorship), with Wilson's interval on the effective number of the `n` stories and the exact
-- one-sided binomial p, over stories, of doing so by chance: a story counts as its mean over
-- revisions and repetitions, and a fractional sum is rounded down (up for `p_below`, the p of being
-- right so rarely by chance). `accuracy_valid` and its p leave out replies that name nothing
-- possible. `p_holm` is adjusted within the table of one condition, temperature and variant.
-- replies: condition; author; editor; reader = model; temperature; variant
with units as (
    select
        struct_pack(
            family, condition, author, editor, reader, reads, pairing, temperature, variant,
            n_sentences
        ) as cell,
        cluster,
        any_value(chance) as chance,
        count(accuracy) as unit_n,
        coalesce(sum(accuracy), 0)::double as unit_sum,
        count(accuracy_valid) as valid_n,
        coalesce(sum(accuracy_valid), 0)::double as valid_sum,
        sum(usable) as n_valid,
        count(*) filter (where failed) as n_failed
    from episode.textmirror
    where reader is not null
    group by all
),

counts as (
    select
        cell,
        any_value(chance) as chance,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        round(coalesce(sum(unit_sum / unit_n) filter (where unit_n > 0), 0), 9) as n_correct,
        sum(unit_sum) / nullif(sum(unit_n), 0) as accuracy,
        count(*) filter (where valid_n > 0) as n_valid_stories,
        round(coalesce(sum(valid_sum / valid_n) filter (where valid_n > 0), 0), 9)
            as n_valid_correct,
        sum(valid_sum) / nullif(sum(valid_n), 0) as accuracy_valid,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective,
        sum(n_valid) as n_valid,
        sum(n_failed)::bigint as n_failed
    from units
    group by cell
),

tests as (
    select
        *,
        if(n > 0, macro.binomial_at_least(floor(n_correct), n, chance), null) as p,
        if(n > 0, macro.binomial_at_least(n - ceil(n_correct), n, 1 - chance), null) as p_below,
        if(
            n_valid_stories > 0,
            macro.binomial_at_least(floor(n_valid_correct), n_valid_stories, chance),
            null
        ) as p_valid,
        if(
            n_valid_stories > 0,
            macro.binomial_at_least(
                n_valid_stories - ceil(n_valid_correct), n_valid_stories, 1 - chance
            ),
            null
        ) as p_valid_below
    from counts
),

ranked as (
    select
        *,
        row_number() over one_table as rank_of_p,
        count(p) over (
            partition by cell.condition, cell.temperature, cell.variant, cell.reads
        ) as n_tests
    from tests
    window one_table as (
        partition by cell.condition, cell.temperature, cell.variant, cell.reads
        order by p nulls last
    )
)

select
    cell.*,
    n, n_episodes, n_correct, accuracy,
    macro.wilson_low(accuracy * n_effective, n_effective) as ci_low,
    macro.wilson_high(accuracy * n_effective, n_effective) as ci_high,
    chance,
    p,
    if(p is null, null, least(1.0, max((n_tests - rank_of_p + 1) * p) over (
        partition by cell.condition, cell.temperature, cell.variant, cell.reads
        order by rank_of_p
    ))) as p_holm,
    p_below, accuracy_valid, p_valid, p_valid_below, n_valid, n_failed
from ranked
