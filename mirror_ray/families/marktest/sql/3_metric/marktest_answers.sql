-- grain: one row per episode_id
-- The right answer, `gold`, and the given answer, as text for people.
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
        when first_touched is not null then 'touched ' || case first_touched
            when 'place' then 'the mark''s place, unmarked'
            when 'counterpart' then 'the place opposite'
            when 'body' then 'its own body elsewhere'
            when 'image' then 'the image in the mirror'
            when 'surface' then 'glass or panel'
            when 'other' then 'the other body'
            when 'air' then 'the air'
            else first_touched
        end
        when has_ended then 'ended, touching nothing'
    end as answer
from episode.marktest
