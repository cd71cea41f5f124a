-- grain: one row per episode_id
-- What would have been right, `gold`, and what was answered, both in words for a person.
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
