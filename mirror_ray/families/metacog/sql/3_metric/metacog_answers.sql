-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people. For a choice of two tasks
-- `gold` is the key of the chosen one, which its request has. Times of day, which are compared in
-- minutes, are shown as times, and whole numbers without decimals; equal answers remain equal.
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
