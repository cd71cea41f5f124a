-- grain: one row per contrast, metric
-- Paired comparisons on equal scenes. difference = estimate - baseline_estimate over `n` scenes
-- (units: strings, questions, …), each of which counts as its mean over repetitions. Shares:
-- Newcombe's interval for a paired difference (1998, method 10) and McNemar's exact test; of scenes
-- that are not plain 0 or 1, as of counts, BCa interval and sign-flip test over scenes,
-- as of the last bootstrap of this run. p_holm: adjusted (Holm 1979) for the n_tests
-- contrasts that ask one question of one metric. Effects: odds_ratio and cohens_g of the discordant
-- scenes (NULL where they divide by 0); cohens_dz = mean / sd of differences; hedges_g_av = mean
-- difference / average sd, corrected for few scenes (Lakens 2013). told_apart: p_holm < 0.05; of
-- two models that `until` decided on, its verdict, with its `probability` for all n_planned scenes.
-- Where it stopped either side early there is no p.
select *
from macro.compared(twin.scores, shard.paired_differences, metric.settled, twin.settled)
