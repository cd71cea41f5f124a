-- grain: one row per model, temperature, setting
-- arXiv 2604.19809, strictly proper scores of experiment 1's wagers as probabilities, (bet - 1) /
-- 9; lower is better. `log_score` is -ln of the probability assigned to the outcome, limited to
-- 1e-6 and 1 - 1e-6. The paper reports the mean Brier score; `reference` is from the published
-- results, exp1_proper_scoring_primary_summary. A question is the mean of its repetitions.
-- replies: where condition = 'exp1'
with questions as (
    select
        model, temperature, setting, cluster,
        avg(bet_share) as confidence,
        avg(accuracy) as accuracy,
        avg((bet_share - accuracy) ** 2) as brier,
        avg(-ln(greatest(1e-6, if(accuracy = 1, bet_share, 1 - bet_share)))) as log_score
    from episode.metacog
    where
        experiment = 'exp1' and channel = 'wagering'
        and bet_share is not null and accuracy is not null
    group by all
),

means as (
    select
        model, temperature, setting,
        count(*) as n,
        -- Ordered, so that the last digit is reproducible.
        avg(brier order by brier) as brier,
        avg(log_score order by log_score) as log_score,
        avg(confidence order by confidence) as mean_confidence,
        avg(accuracy) as accuracy
    from questions
    group by all
)

select
    means.*,
    if(printed.model is null, null, printed) as reference,
    case
        when printed.model is not null then 'published results of arXiv 2604.19809, proper scoring'
    end as cited
from means
left join macro.metacog_scoring() as printed on macro.mirror_name(means.model) = printed.model
order by means.setting, means.temperature, means.model
