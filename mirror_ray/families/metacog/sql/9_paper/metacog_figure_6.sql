-- grain: one row per temperature, setting, route, paradigm, predictor
-- arXiv 2604.19809, Figure 6: is a gap related to confident failures? Pearson's correlation of CFR
-- with each predictor over cells of agency.metacog_parts_subcategories (`partial`: with the gap,
-- both without the part that natural accuracy explains). `p` treats the `n` cells as independent,
-- as in the paper; a model's cells of one domain share its gap, so it is too small.
-- replies: where experiment = 'exp9'
with sums as (
    select
        temperature, setting, route, paradigm,
        count(*) as n,
        corr(gap, cfr) as r_gap,
        corr(natural_accuracy, cfr) as r_accuracy,
        corr(gap, natural_accuracy) as r_both
    from agency.metacog_parts_subcategories
    where gap is not null and cfr is not null and natural_accuracy is not null
    group by all
),

correlations as (
    select
        temperature, setting, route, paradigm, n,
        unnest([
            {'predictor': 'gap', 'r': r_gap, 'df': n - 2},
            {'predictor': 'natural_accuracy', 'r': r_accuracy, 'df': n - 2},
            {
                'predictor': 'partial',
                'r': (r_gap - r_accuracy * r_both)
                / nullif(sqrt((1 - r_accuracy ** 2) * (1 - r_both ** 2)), 0),
                'df': n - 3
            }
        ], recursive := true)
    from sums
)

select
    correlations.* exclude (df, r),
    if(isfinite(correlations.r), correlations.r, null) as r,
    if(
        isfinite(correlations.r) and abs(correlations.r) < 1 and correlations.df > 0,
        macro.t_two_sided(
            correlations.r * sqrt(correlations.df / (1 - correlations.r ** 2)), correlations.df
        ),
        null
    ) as p,
    if(
        printed.r is null, null, struct_pack(r := printed.r, p := printed.p)
    ) as reference,
    if(printed.r is null, null, 'arXiv 2604.19809, Figure 6 and its text') as cited
from correlations
left join macro.metacog_figure_6() as printed
    on
        correlations.paradigm = printed.paradigm
        and correlations.predictor = printed.predictor
order by
    correlations.setting, correlations.temperature, correlations.route, correlations.paradigm,
    correlations.predictor
