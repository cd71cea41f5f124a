-- grain: one row per episode_id
-- What people answered, and what models did on the same scenes: under one condition, temperature
-- and variant those of one scene seed and run, shown the same. `shown` is the episode that a scene
-- follows from: a person's own walk or story is nobody else's scene. NULL answer: there was none,
-- or none that could be read. `score` is the family's leading one; failed episodes are left out.
select
    played.family,
    played.condition,
    played.model,
    starts_with(played.model, 'human/') as is_person,
    played.temperature,
    played.variant,
    played.scene_seed,
    played.run,
    played.cluster,
    to_json(played) ->> '$.parent_id' as shown,
    played.episode_id,
    answered.gold,
    answered.answer,
    played.{leading}::double as score
from episode.{family} as played
left join metric.{family}_answers as answered using (episode_id)
where
    not played.failed
    and (condition, temperature, variant, scene_seed, run) in (
        select (condition, temperature, variant, scene_seed, run)
        from episode.{family}
        where starts_with(model, 'human/')
    )
