-- grain: one row per model, temperature, setting, feedback
-- Experiment 4: adaptation index, the signal in the burnt domain less that in an unrelated one,
-- after feedback (arXiv 2604.19809, appendix on metrics): below 0 where the reported failure was
-- taken to heart.
select
    family,
    model,
    temperature,
    setting,
    feedback,
    count(signal_related - signal_unrelated) as n,
    avg(signal_related - signal_unrelated) as adaptation_index,
    stddev_samp(signal_related - signal_unrelated)
    / sqrt(count(signal_related - signal_unrelated)) as se
from episode.metacog
where experiment = 'exp4' and not failed
group by family, model, temperature, setting, feedback
