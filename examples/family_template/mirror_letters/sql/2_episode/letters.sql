-- grain: one row per episode_id
-- Scores of each episode. `cluster` is the independent unit: a word.
select
    sweep,
    family,
    condition,
    model,
    cell_id,
    episodes.episode_id,
    scene_seed,
    run,
    scene_seed || '.' || run as cluster,
    temperature,
    variant,
    episodes.take,
    '' as parameters,
    error_kind,
    error_kind <> 'none' as failed,
    if(failed, null, asked.answer is not distinct from word)::integer as accuracy,
    if(failed or condition = 'plain', null, asked.answer is not distinct from reverse(word))::integer
        as copied
from stage.letters_episodes as episodes
left join (select episode_id, answer from stage.letters_steps) as asked using (episode_id)
