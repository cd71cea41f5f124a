-- grain: one row per episode_id, fingerprint
-- Which of the run's own model servers answered an episode's requests, and what they were (all
-- takes). A fingerprint covers engine, weights, arguments, chat template, GPUs and driver.
-- fingerprint_changed: a different one answered for this model before. Unknown values are NULL.
with answered as (
    select
        family,
        episode_id,
        any_value(model) as asked_of,
        regexp_extract(model_version, '; server ([0-9a-f]{12})$', 1) as fingerprint,
        count(distinct ask) as n_asks,
        min(started_at) as first_asked_at
    from stage.asks
    where regexp_matches(model_version, '; server [0-9a-f]{12}$')
    group by family, episode_id, regexp_extract(model_version, '; server ([0-9a-f]{12})$', 1)
),

said as (
    select unnest(try_cast(getvariable('server_facts') as json[])) as facts
),

stated as (
    select facts ->> 'model' as model, facts ->> 'fingerprint' as fingerprint, facts
    from said
    qualify row_number() over (partition by facts ->> 'fingerprint' order by facts ->> 'model') = 1
)

select
    answered.family,
    answered.episode_id,
    coalesce(stated.model, answered.asked_of) as model,
    fingerprint,
    answered.n_asks,
    answered.first_asked_at,
    fingerprint <> first_value(fingerprint) over (
        partition by coalesce(stated.model, answered.asked_of)
        order by answered.first_asked_at nulls last, fingerprint
    ) as fingerprint_changed,
    stated.facts ->> 'engine' as engine,
    stated.facts ->> 'engine_version' as engine_version,
    stated.facts ->> 'weights' as weights,
    coalesce(
        stated.facts ->> 'weights_revision_found', stated.facts ->> 'revision'
    ) as weights_commit,
    stated.facts ->> 'argv' as command_line,
    stated.facts ->> 'sampling_defaults' as sampling_defaults,
    stated.facts ->> 'chat_template_sha' as chat_template_sha,
    stated.facts ->> 'gpus' as gpus,
    stated.facts ->> 'driver' as driver,
    stated.facts ->> 'host' as host
from answered
left join stated using (fingerprint)
