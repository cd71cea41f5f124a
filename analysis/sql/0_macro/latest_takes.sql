-- grain: one row per episode_id
-- table macro: latest_takes(episodes, again)
-- The latest take of every sealed episode; like `latest_episodes`, without unpaid ones.
select
    episode_id,
    take
from query_table(episodes)
anti join query_table(again) using (episode_id)
where error_kind is distinct from 'budget'
union all
select
    episode_id,
    max(take) as take
from query_table(episodes)
semi join query_table(again) using (episode_id)
group by episode_id
having arg_max(error_kind, take) is distinct from 'budget'
