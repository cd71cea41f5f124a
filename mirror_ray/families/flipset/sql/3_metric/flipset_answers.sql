-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people.
select
    episodes.episode_id,
    concat_ws(' · ', episodes.gold, episodes.options[ascii(episodes.gold) - 64]) as gold,
    if(
        scores.answer is null,
        null,
        concat_ws(' · ', scores.answer, episodes.options[ascii(scores.answer) - 64])
    ) as answer
from stage.flipset_episodes as episodes
left join episode.flipset as scores using (episode_id)
