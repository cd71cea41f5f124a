-- grain: one row per model, temperature, setting, feedback
-- Experiment 4: adaptation index, the wager in the domain that failed minus that in an unrelated
-- one, in points of 1 to 10, after feedback (arXiv 2604.19809, appendix on metrics): below 0 if the
-- reported failure had an effect. `n` questions. `adaptation_index_tools` is the same for 1 / (1 +
-- tools called), the only one in runs without wagers.
-- replies: where condition = 'exp4'
with units as (
    select
        {described},
        feedback,
        cluster,
        count(bet_related - bet_unrelated) as unit_n,
        coalesce(sum(bet_related - bet_unrelated), 0)::double as unit_sum,
        count(signal_related - signal_unrelated) as tools_n,
        coalesce(sum(signal_related - signal_unrelated), 0)::double as tools_sum
    from episode.metacog
    where experiment = 'exp4' and not failed
    group by family, model, temperature, setting, feedback, cluster
)

select
    {described},
    feedback,
    count(*) filter (where unit_n > 0) as n,
    sum(unit_n)::bigint as n_episodes,
    -- Ordered, so that the last digit is reproducible.
    sum(unit_sum order by unit_sum) / nullif(sum(unit_n), 0) as adaptation_index,
    macro.clustered_se(unit_sum, unit_n) as se,
    count(*) filter (where tools_n > 0) as n_tools,
    sum(tools_sum order by tools_sum) / nullif(sum(tools_n), 0) as adaptation_index_tools
from units
group by family, model, temperature, setting, feedback
