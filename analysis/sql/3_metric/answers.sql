-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person. NULL where
-- nothing could be right, or nothing was answered. Labels of options stand with their texts.
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
union all
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
union all
select
    episode_id,
    answer as gold,
    choice as answer
from episode.mirrorqa
union all
select
    episode_id,
    case
        when accuracy is null then null
        when condition = 'authorship' then if(position = 1, 'text A', 'text B')
        else 'sentence ' || position
    end as gold,
    case
        when predicted is null then null
        when condition = 'authorship' then if(predicted = 1, 'text A', 'text B')
        else 'sentence ' || predicted
    end as answer
from episode.textmirror
union all
select
    episodes.episode_id,
    coalesce(
        episodes.truth, nullif(concat_ws(' / ', episodes.truth_a, episodes.truth_b), '')
    ) as gold,
    scores.answer_plain as answer
from stage.metacog_episodes as episodes
left join episode.metacog as scores using (episode_id)
union all
select
    episode_id,
    case marked
        when 'own' then 'touch the ' || site
        when 'hand' then 'touch the left hand'
        else 'end, touching nothing'
    end as gold,
    case
        when failed then null
        when on_mark = 1 then 'touched the mark'
        when first_touched is not null then 'touched ' || first_touched
        when has_ended then 'ended, touching nothing'
    end as answer
from episode.marktest
