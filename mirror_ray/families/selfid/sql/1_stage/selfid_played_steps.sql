-- grain: one row per episode_id, take, step
-- The steps of every take, sealed or not, without repeated requests and without requests for a
-- prediction or a stake. Only an episode with several rows can have its steps in several shards,
-- because ranking rows is expensive.
select *
from shard.selfid_steps
anti join stage.selfid_again using (episode_id)
where not superseded and coalesce(asked_for, 'answer') = 'answer'
union all
select *
from shard.selfid_steps
semi join stage.selfid_again using (episode_id)
where not superseded and coalesce(asked_for, 'answer') = 'answer'
qualify row_number() over (partition by episode_id, take, step order by ask desc) = 1
