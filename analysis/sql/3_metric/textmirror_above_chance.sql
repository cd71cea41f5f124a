-- grain: one row per condition, model, reads, pairing, temperature, variant
-- How far above chance a reader is right, on its own revisions (self), on others' (cross) and on
-- all together, with Wilson's interval of its accuracy less chance; p exact, one-sided, `p_holm`
-- adjusted over the readers of one setting. Stories of other lengths are other variants.
with answers as (
    select
        family,
        condition,
        model,
        reads,
        unnest([pairing, 'all']) as pairing,
        temperature,
        variant,
        n_sentences,
        chance,
        accuracy
    from episode.textmirror
    where accuracy is not null
),

counts as (
    select
        family,
        condition,
        model,
        reads,
        pairing,
        temperature,
        variant,
        n_sentences,
        any_value(chance) as chance,
        count(*) as n,
        sum(accuracy) as n_correct
    from answers
    group by all
),

ranked as (
    select
        *,
        macro.binomial_at_least(n_correct, n, chance) as p,
        row_number() over one_setting as rank_of_p,
        count(*) over (partition by condition, reads, pairing, temperature, variant) as n_tests
    from counts
    window one_setting as (
        partition by condition, reads, pairing, temperature, variant
        order by macro.binomial_at_least(n_correct, n, chance), model
    )
)

select
    family,
    condition,
    model,
    reads,
    pairing,
    temperature,
    variant,
    n_sentences,
    n,
    n_correct,
    n_correct / n as accuracy,
    chance,
    n_correct / n - chance as above_chance,
    macro.wilson_low(n_correct, n) - chance as ci_low,
    macro.wilson_high(n_correct, n) - chance as ci_high,
    p,
    least(1.0, max((n_tests - rank_of_p + 1) * p) over (
        partition by condition, reads, pairing, temperature, variant
        order by rank_of_p
    )) as p_holm
from ranked
