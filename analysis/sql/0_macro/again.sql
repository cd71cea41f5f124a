-- grain: one row per episode_id
-- table macro: again(episodes)
-- Episodes with several rows: several takes, or sealed twice.
select episode_id
from query_table(episodes)
group by episode_id
having count(*) > 1
