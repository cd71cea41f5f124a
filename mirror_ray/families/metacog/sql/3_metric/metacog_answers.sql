-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person. Of
-- two tasks to choose from it is the key of the chosen one, which its step has. A time of day, which
-- is compared in minutes, is a time here, and a whole number has no decimals; equal answers stay
-- equal.
with asked as (
    select
        episode_id,
        arg_max(truth, ask) as truth,
        arg_max(key_kind, ask) as key_kind
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
    case asked.key_kind
        when 'time' then coalesce(
            printf(
                '%02d:%02d',
                try_cast(scores.answer_plain as integer) // 60,
                try_cast(scores.answer_plain as integer) % 60
            ),
            scores.answer_plain
        )
        when 'number' then regexp_replace(scores.answer_plain, '\.0+$', '')
        else scores.answer_plain
    end as answer
from stage.metacog_episodes as episodes
left join episode.metacog as scores on episodes.episode_id = scores.episode_id
left join asked on episodes.episode_id = asked.episode_id
