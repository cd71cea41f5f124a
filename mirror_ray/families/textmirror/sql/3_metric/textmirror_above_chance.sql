-- grain: one row per condition, model, reads, pairing, temperature, variant
-- Accuracy above chance of a reader, on its own revisions (self), on others' (cross) and on all,
-- with Wilson's interval of accuracy minus chance on the effective number of the `n` stories. p is
-- exact over stories, one-sided: a story counts as its mean over revisions and repetitions, and a
-- fractional sum is rounded down (up for `p_below`, the p of being right so rarely by chance).
-- `accuracy_valid` leaves out replies that name nothing possible. `p_holm`: adjusted over the
-- readers of one setting. Stories of other lengths are other variants.
with answers as (
    select * replace (unnest([pairing, 'all']) as pairing)
    from episode.textmirror
    where accuracy is not null
),

units as (
    select
        struct_pack(
            family, condition, model, reads, pairing, temperature, variant, n_sentences
        ) as cell,
        cluster,
        any_value(chance) as chance,
        count(*) as unit_n,
        sum(accuracy)::double as unit_sum,
        count(accuracy_valid) as valid_n,
        coalesce(sum(accuracy_valid), 0)::double as valid_sum
    from answers
    group by all
),

counts as (
    select
        cell,
        any_value(chance) as chance,
        count(*) as n,
        sum(unit_n)::bigint as n_episodes,
        round(sum(unit_sum / unit_n), 9) as n_correct,
        sum(unit_sum) / sum(unit_n) as accuracy,
        sum(valid_sum) / nullif(sum(valid_n), 0) as accuracy_valid,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by cell
),

ranked as (
    select
        *,
        row(cell.condition, cell.reads, cell.pairing, cell.temperature, cell.variant) as setting,
        macro.binomial_at_least(floor(n_correct), n, chance) as p,
        macro.binomial_at_least(n - ceil(n_correct), n, 1 - chance) as p_below,
        row_number() over one_setting as rank_of_p,
        count(*) over (partition by setting) as n_tests
    from counts
    window one_setting as (
        partition by setting
        order by macro.binomial_at_least(floor(n_correct), n, chance), cell.model
    )
)

select
    cell.*,
    n,
    n_episodes,
    n_correct,
    accuracy,
    chance,
    accuracy - chance as above_chance,
    macro.wilson_low(accuracy * n_effective, n_effective) - chance as ci_low,
    macro.wilson_high(accuracy * n_effective, n_effective) - chance as ci_high,
    p,
    least(1.0, max((n_tests - rank_of_p + 1) * p) over (
        partition by setting
        order by rank_of_p
    )) as p_holm,
    p_below,
    accuracy_valid
from ranked
