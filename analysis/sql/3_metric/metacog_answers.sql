-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person. Of
-- two tasks to choose from it is the key of the chosen one, which its ask has.
with asked as (
    select
        episode_id,
        arg_max(truth, ask) as truth
    from stage.metacog_steps
    where phase in ('answer', 'after_tools')
    group by episode_id
)

select
    episodes.episode_id,
    coalesce(
        asked.truth,
        episodes.truth,
        nullif(concat_ws(' / ', episodes.truth_a, episodes.truth_b), '')
    ) as gold,
    scores.answer_plain as answer
from stage.metacog_episodes as episodes
left join episode.metacog as scores on episodes.episode_id = scores.episode_id
left join asked on episodes.episode_id = asked.episode_id
