-- grain: one row per model, temperature, setting
-- arXiv 2604.19809, strictly proper scores of experiment 1's wagers as probabilities,
-- (bet - 1) / 9: the lower the better. `log_score` is -ln of the probability that was put on
-- what came of it, kept within 1e-6 and 1 - 1e-6. The paper reports the mean Brier score;
-- `reference` is of the published
-- results, exp1_proper_scoring_primary_summary. A question is the mean of its repetitions.
with printed as (
    select *
    from (
        values
            ('deepseek-r1', 474, 0.3389e0, 3.2123e0, 0.9316e0, 0.5802e0),
            ('deepseek-v3', 830, 0.3596, 1.8133, 0.8902, 0.5096),
            ('gemini-2.5-pro', 474, 0.3378, 4.4793, 0.9958, 0.6561),
            ('gemma-3-12b', 521, 0.2829, 1.3134, 0.8495, 0.6027),
            ('gemma-3-27b', 569, 0.2807, 1.4817, 0.8731, 0.6063),
            ('gpt-oss-120b', 667, 0.3507, 0.9713, 0.7945, 0.4573),
            ('kimi-k2', 567, 0.2963, 2.8134, 0.9397, 0.6420),
            ('llama-3.1-405b', 671, 0.4004, 3.3987, 0.9024, 0.4829),
            ('llama-3.1-70b', 669, 0.3456, 1.5987, 0.8416, 0.4993),
            ('llama-3.1-8b', 674, 0.2701, 0.7911, 0.5408, 0.4436),
            ('llama-3.2-3b', 520, 0.2501, 0.6931, 0.5023, 0.5808),
            ('llama-3.3-70b', 524, 0.2096, 1.1656, 0.8897, 0.7118),
            ('mistral-large', 678, 0.3528, 2.2804, 0.7875, 0.4794),
            ('mixtral-8x22b', 520, 0.3573, 4.3362, 0.9592, 0.5942),
            ('phi-4', 219, 0.2863, 1.9210, 0.6808, 0.6530),
            ('qwen3-next-80b', 525, 0.3227, 3.4977, 0.9714, 0.6381)
    ) as of_table (model, n, brier, log_score, mean_confidence, accuracy)
),

questions as (
    select
        model,
        temperature,
        setting,
        cluster,
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
        model,
        temperature,
        setting,
        count(*) as n,
        -- In order, so that the last digit is always the same.
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
    if(
        printed.model is null, null, 'published results of arXiv 2604.19809, proper scoring'
    ) as cited
from means
left join printed on macro.mirror_name(means.model) = printed.model
order by means.setting, means.temperature, means.model
