-- grain: one row per family, temperature, setting, metric
-- Experiment 8: every summary metric against the base-10 logarithm of the number of parameters, by
-- least squares over the models of known size (the catalogue's size_b, else from the name; or set
-- variable model_sizes = map {'lab/small': 8e9, 'lab/large': 70e9}, or the same as JSON text), with
-- Student's 95 % interval of the slope. `slope` is the change per tenfold parameters. NULL with
-- fewer than three such models.
-- replies: temperature; setting; macro.metacog_experiment(metric) = experiment
with sized as (
    select
        *,
        log10(if(
            getvariable('model_sizes') is null,
            macro.model_size_b(model) * 1e9,
            (getvariable('model_sizes')::json::map(varchar, double))[model]
        )) as log_parameters
    from summary.metacog
),

fitted as (
    select
        family, temperature, setting, metric,
        regr_count(estimate, log_parameters)::bigint as n_models,
        regr_slope(estimate, log_parameters) as slope,
        regr_intercept(estimate, log_parameters) as intercept,
        regr_sxx(estimate, log_parameters) as sxx,
        regr_syy(estimate, log_parameters) as syy,
        regr_sxy(estimate, log_parameters) as sxy
    from sized
    group by family, temperature, setting, metric
),

defined as (
    select
        *,
        n_models >= 3 and sxx > 0 as known,
        sqrt(
            greatest(0, syy - sxy ** 2 / nullif(sxx, 0))
            / nullif(greatest(n_models - 2, 0), 0) / nullif(sxx, 0)
        ) as se
    from fitted
)

select
    family, temperature, setting, metric, n_models,
    if(known, slope, null) as slope,
    if(known, intercept, null) as intercept,
    if(known, sxy / sqrt(sxx * nullif(syy, 0)), null) as r,
    if(known, se, null) as se,
    if(known, slope - macro.t_95(n_models - 2) * se, null) as ci_low,
    if(known, slope + macro.t_95(n_models - 2) * se, null) as ci_high
from defined
