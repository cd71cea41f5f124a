-- grain: one row per episode_id
-- Episodes that were played or sealed again.
select * from macro.again(shard.{family}_episodes)
