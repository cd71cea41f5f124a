-- grain: one row per model, temperature, variant, pairing
-- Accuracy corrected for habits: a reader that always names the middle is right if the middle was
-- revised. `by_habit` is the accuracy that its distribution of answers would reach by chance, and
-- `kappa` = (accuracy - by_habit) / (1 - by_habit), Cohen's, with his large-sample SE and interval,
-- on the effective number of the `n` stories and cut at the ends of its scale. Replies without a
-- possible number agree with nothing. `pairing` all: self and cross together.
-- replies: where condition = 'recognition'
with answers as (
    select
        struct_pack(family, model, temperature, variant) as cell,
        unnest([pairing, 'all']) as pairing,
        position,
        if(usable = 1, predicted, null) as predicted,
        cluster,
        accuracy
    from episode.textmirror
    where condition = 'recognition' and accuracy is not null
),

actual as (
    select cell, pairing, position, count(*) as n_actual
    from answers
    group by all
),

named as (
    select cell, pairing, predicted as position, count(*) as n_named
    from answers
    where predicted is not null
    group by all
),

units as (
    select
        cell, pairing, cluster,
        count(*) as unit_n,
        sum(accuracy)::double as unit_sum
    from answers
    group by all
),

totals as (
    select
        cell,
        pairing,
        count(*) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) / sum(unit_n) as accuracy,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by cell, pairing
),

habits as (
    select
        totals.*,
        coalesce(sum(actual.n_actual * named.n_named), 0) as n_by_habit
    from totals
    left join actual using (cell, pairing)
    left join named using (cell, pairing, position)
    group by all
),

shares as (
    select * exclude (n_by_habit), n_by_habit / (n_episodes * n_episodes) as by_habit
    from habits
),

kappas as (
    select
        *,
        if(by_habit < 1, (accuracy - by_habit) / (1 - by_habit), null) as kappa,
        if(by_habit < 1, sqrt(accuracy * (1 - accuracy) / n_effective) / (1 - by_habit), null) as se
    from shares
)

select
    cell.*,
    * exclude (cell, n_effective),
    greatest(-1.0, kappa - 1.959963984540054 * se) as ci_low,
    least(1.0, kappa + 1.959963984540054 * se) as ci_high
from kappas
