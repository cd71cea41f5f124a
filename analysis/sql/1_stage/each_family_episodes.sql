-- grain: one row per episode_id
-- The latest take of every episode.
select * from macro.latest_episodes(shard.{family}_episodes, stage.{family}_again)
