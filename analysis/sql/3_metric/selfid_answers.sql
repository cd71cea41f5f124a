-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person.
select
    episodes.episode_id,
    episodes.ego_color as gold,
    scores.final_answer as answer
from stage.selfid_episodes as episodes
left join (
    select
        episode_id,
        if(done, coalesce(nullif(final_cube, 'none'), final_claim), null) as final_answer
    from episode.selfid
) as scores using (episode_id)
