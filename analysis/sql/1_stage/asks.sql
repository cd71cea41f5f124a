-- grain: one row per episode_id, take, ask
-- Requests to all models, of all families and takes.
select
    family,
    episode_id,
    take,
    ask,
    model,
    model_version,
    started_at
from shard.{family}_steps
