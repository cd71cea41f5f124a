-- grain: one row per temperature, setting, domain_a, domain_b
-- arXiv 2604.19809, Table 8: the error of composed predictions (experiment 3) by pair of domains in
-- any order, by the formula of the published code, over all models. The paper prints the five
-- highest and the five lowest of 28. `n`: tasks × models.
-- replies: where condition = 'exp3'
with means as (
    select
        temperature,
        setting,
        least(domain_a, domain_b) as domain_a,
        greatest(domain_a, domain_b) as domain_b,
        avg(cce_code) as mean_cce,
        count(distinct (model, cluster)) filter (where cce_code is not null) as n
    from metric.metacog_composition
    group by all
)

select
    means.*,
    if(
        printed.n is null,
        null,
        struct_pack(mean_cce := printed.mean_cce, n := printed.n)
    ) as reference,
    if(printed.n is null, null, 'arXiv 2604.19809, Table 8') as cited
from means
left join macro.metacog_table_8() as printed
    on means.domain_a = printed.domain_a and means.domain_b = printed.domain_b
order by
    means.setting,
    means.temperature,
    means.mean_cce desc nulls last,
    means.domain_a,
    means.domain_b
