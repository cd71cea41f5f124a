-- grain: one row per contrast, metric
-- Paired comparisons on equal scenes. difference = estimate - baseline_estimate over `n` scenes
-- (units: strings, questions, …), each counted as its mean over repetitions. Shares have Newcombe's
-- interval for a paired difference (1998, method 10) and McNemar's exact test. Counts, and scenes
-- with means other than 0 and 1, have the BCa interval and sign-flip test over scenes, from the
-- last bootstrap of this run. p_holm: adjusted (Holm 1979) for the n_tests contrasts of one
-- question and metric. Effects: odds_ratio and cohens_g of the discordant scenes (NULL on division
-- by 0); cohens_dz = mean / sd of differences; hedges_g_av = mean difference / average sd,
-- corrected for few scenes (Lakens 2013). told_apart: p_holm < 0.05; for two models decided by
-- `until`, its verdict, with its `probability` for all n_planned scenes. If it stopped either side
-- early there is no p.
select *
from macro.compared(twin.scores, shard.paired_differences, metric.settled, twin.settled)
