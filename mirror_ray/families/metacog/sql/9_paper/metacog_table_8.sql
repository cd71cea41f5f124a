-- grain: one row per temperature, setting, domain_a, domain_b
-- arXiv 2604.19809, Table 8: the error of composed predictions (experiment 3) by pair of domains,
-- by the formula of the published code, over all models; the order of the two does not count. The
-- paper prints the five highest and the five lowest of 28. `n`: tasks × models.
with printed as (
    select *
    from (
        values
            ('linguistic', 'social', 0.728e0, 62),
            ('linguistic', 'procedural', 0.711, 62),
            ('spatial', 'temporal', 0.644, 62),
            ('factual', 'temporal', 0.628, 63),
            ('procedural', 'spatial', 0.618, 60),
            ('arithmetic', 'factual', 0.331, 62),
            ('linguistic', 'temporal', 0.271, 64),
            ('arithmetic', 'temporal', 0.256, 61),
            ('arithmetic', 'logical', 0.249, 62),
            ('procedural', 'social', 0.216, 64)
    ) as of_table (domain_a, domain_b, mean_cce, n)
),

means as (
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
left join printed
    on means.domain_a = printed.domain_a and means.domain_b = printed.domain_b
order by
    means.setting,
    means.temperature,
    means.mean_cce desc nulls last,
    means.domain_a,
    means.domain_b
