-- grain: one row per episode_id
-- Answers of people, and of models on the same scenes: those with the same condition, temperature,
-- variant, scene seed and run, shown the same. `shown` is the episode on which a scene depends: a
-- person's own walk or story is no other reader's scene. NULL answer: none, or unreadable. `score`
-- is the family's main one; episodes with an error are left out.
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
