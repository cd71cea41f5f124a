-- grain: one row per episode_id
-- The latest take of every episode.
select * from macro.latest_episodes(shard.selfid_episodes, stage.selfid_again)
