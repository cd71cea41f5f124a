-- grain: one row per temperature, setting, attack
-- arXiv 2604.19809, Table 6: robustness by attack of experiment 5, mean over models of each model's
-- mean over channels; `attack` NULL is over the paper's four attacks.
-- replies: where condition = 'exp5'
with models as (
    select
        model, temperature, setting, attack,
        avg(robustness) as robustness
    from metric.metacog_attacks
    where in_ars
    group by grouping sets ((model, temperature, setting, attack), (model, temperature, setting))
),

means as (
    select
        temperature, setting, attack,
        count(robustness) as n_models,
        avg(robustness) as mean_ars
    from models
    group by all
)

select
    means.temperature, means.setting, means.attack, printed.attack_category, means.mean_ars,
    means.n_models,
    printed.mean_ars as reference,
    if(printed.mean_ars is null, null, 'arXiv 2604.19809, Table 6') as cited
from means
left join macro.metacog_table_6() as printed on means.attack is not distinct from printed.attack
order by means.setting, means.temperature, printed.place, means.attack
