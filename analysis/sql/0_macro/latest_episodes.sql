-- grain: one row per episode_id
-- table macro: latest_episodes(episodes, again)
-- The latest take of every episode, without unpaid episodes, which are neither failed nor played
-- and count in no metric. Ranking whole rows is expensive, so only episodes with several rows are
-- ranked.
select *
from query_table(episodes)
anti join query_table(again) using (episode_id)
where error_kind is distinct from 'budget'
union all
select *
from query_table(episodes)
semi join query_table(again) using (episode_id)
qualify
    row_number() over (partition by episode_id order by take desc) = 1
    and error_kind is distinct from 'budget'
