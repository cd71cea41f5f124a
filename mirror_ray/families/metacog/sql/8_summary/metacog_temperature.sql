-- grain: one row per family, model, setting, metric, temperature, other_temperature
-- Effect of temperature: every summary metric at a higher temperature minus that at a lower one of
-- the same model. The provider's default temperature is not a number and is not compared.
-- replies: model; temperature; setting; macro.metacog_experiment(metric) = experiment
select
    cold.family, cold.model, cold.setting, cold.metric, cold.temperature,
    hot.temperature as other_temperature,
    cold.n,
    hot.n as other_n,
    cold.estimate,
    hot.estimate as other_estimate,
    hot.estimate - cold.estimate as difference
from summary.metacog as cold
inner join summary.metacog as hot
    on
        cold.model = hot.model
        and cold.setting = hot.setting
        and cold.metric = hot.metric
        and cold.temperature < hot.temperature
