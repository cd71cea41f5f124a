-- grain: one row per episode_id, take, ask
-- What was asked of which model, of all families and all takes.
select
    family,
    episode_id,
    take,
    ask,
    model,
    model_version,
    started_at
from shard.{family}_steps
