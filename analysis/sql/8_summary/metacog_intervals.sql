-- grain: one row per family, model, temperature, setting, metric
-- BCa intervals over scenes of those metrics of summary.metacog that scenes make up, as of the last
-- bootstrap of this run. Where there is no interval, `reason` says why. A bootstrap that took
-- repetitions for questions, as earlier releases did, drew more scenes than there are: left out.
with units as (
    select
        model,
        temperature,
        setting,
        experiment,
        count(distinct cluster) as n_units
    from episode.metacog
    group by model, temperature, setting, experiment
),

cells as (
    select distinct
        model,
        temperature,
        variant,
        condition
    from shard.metacog_summary_intervals
),

drawable as (
    select
        cells.model,
        cells.temperature,
        cells.variant,
        cells.condition,
        sum(units.n_units) as n_units
    from cells
    inner join units
        on
            cells.model = units.model
            and cells.temperature is not distinct from units.temperature
            and cells.variant = units.setting
            and list_contains(string_split(cells.condition, '+'), units.experiment)
    group by cells.model, cells.temperature, cells.variant, cells.condition
)

select
    stored.family,
    stored.condition as experiments,
    stored.model,
    stored.temperature,
    stored.variant as setting,
    stored.metric,
    stored.n_scenes,
    stored.estimate,
    stored.se,
    stored.ci_low,
    stored.ci_high,
    stored.method,
    stored.reason,
    stored.draws,
    stored.seed
from shard.metacog_summary_intervals as stored
inner join drawable
    on
        stored.model = drawable.model
        and stored.temperature is not distinct from drawable.temperature
        and stored.variant = drawable.variant
        and stored.condition = drawable.condition
where stored.n_scenes <= drawable.n_units
