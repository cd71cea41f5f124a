-- grain: one row per episode_id
-- table macro: latest_episodes(episodes, again)
-- Every episode's row of its latest take, but for those that it could not pay for: they are neither
-- failed nor played, and count in no metric. To rank whole rows is expensive: only episodes with
-- several rows are ranked.
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
