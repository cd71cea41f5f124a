-- grain: one row per temperature, variant, reads, author, editor
-- Are foreign sentences found more often than the author's own revisions, for equal readers and
-- stories? The Mantel-Haenszel odds ratio of being found, cross against self, over strata of one
-- reader and story (hence one author and seed), whose revisions count as their means over
-- repetitions, with the interval of Robins, Breslow and Greenland (1986), and the
-- Cochran-Mantel-Haenszel test (no continuity correction). For all authors and editors together,
-- each author, and each foreign editor. NULL if no story is informative; no row if none has both.
-- replies: where condition = 'recognition'
with answers as (
    select
        any_value(family) as family,
        temperature, variant, reads, reader, author, editor, pairing, cluster,
        avg(accuracy) as accuracy
    from episode.textmirror
    where condition = 'recognition' and accuracy is not null
    group by temperature, variant, reads, reader, author, editor, pairing, cluster
),

slices as (
    select distinct temperature, variant, reads, 'all' as author, 'all' as editor
    from answers
    union
    select distinct temperature, variant, reads, author, 'all' as editor
    from answers
    union
    select distinct temperature, variant, reads, 'all' as author, editor
    from answers
    where pairing = 'cross'
),

strata as (
    select
        any_value(answers.family) as family,
        slices.temperature, slices.variant, slices.reads, slices.author, slices.editor,
        answers.reader, answers.cluster,
        coalesce(sum(accuracy) filter (where pairing = 'cross'), 0) as a,
        coalesce(sum(1 - accuracy) filter (where pairing = 'cross'), 0) as b,
        coalesce(sum(accuracy) filter (where pairing = 'self'), 0) as c,
        coalesce(sum(1 - accuracy) filter (where pairing = 'self'), 0) as d
    from slices
    inner join answers
        on
            slices.temperature is not distinct from answers.temperature
            and slices.variant = answers.variant
            and slices.reads = answers.reads
            and slices.author in ('all', answers.author)
            and (answers.pairing = 'self' or slices.editor in ('all', answers.editor))
    group by all
),

parts as (
    select
        *,
        a + b + c + d as n,
        a * d / (a + b + c + d) as r,
        b * c / (a + b + c + d) as s,
        (a + d) / (a + b + c + d) as p,
        (b + c) / (a + b + c + d) as q
    from strata
    where a + b > 0 and c + d > 0
),

sums as (
    select
        family, temperature, variant, reads, author, editor,
        count(*) as n_strata,
        sum(n)::bigint as n,
        sum(a + b)::bigint as n_cross,
        sum(c + d)::bigint as n_self,
        sum(r) as sum_r,
        sum(s) as sum_s,
        sum(p * r) as sum_pr,
        sum(p * s + q * r) as sum_mixed,
        sum(q * s) as sum_qs,
        sum(a - (a + b) * (a + c) / n) as excess,
        sum(if(n > 1, (a + b) * (c + d) * (a + c) * (b + d) / (n * n * (n - 1)), 0)) as variance
    from parts
    group by all
),

ratios as (
    select
        *,
        if(sum_r > 0 and sum_s > 0, sum_r / sum_s, null) as odds_ratio,
        if(
            sum_r > 0 and sum_s > 0,
            sqrt(
                sum_pr / (2 * sum_r * sum_r)
                + sum_mixed / (2 * sum_r * sum_s)
                + sum_qs / (2 * sum_s * sum_s)
            ),
            null
        ) as se_of_log
    from sums
)

select
    family, temperature, variant, reads, author, editor, n_strata, n, n_cross, n_self, odds_ratio,
    odds_ratio * exp(-1.959963984540054 * se_of_log) as ci_low,
    odds_ratio * exp(1.959963984540054 * se_of_log) as ci_high,
    excess * excess / nullif(variance, 0) as chi2,
    if(variance > 0, macro.chi2_above(excess * excess / variance, 1), null) as p
from ratios
