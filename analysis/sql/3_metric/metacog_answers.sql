-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person.
select
    episodes.episode_id,
    coalesce(
        episodes.truth, nullif(concat_ws(' / ', episodes.truth_a, episodes.truth_b), '')
    ) as gold,
    scores.answer_plain as answer
from stage.metacog_episodes as episodes
left join episode.metacog as scores using (episode_id)
