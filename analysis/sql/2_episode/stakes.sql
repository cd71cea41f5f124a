-- grain: one row per episode_id
-- What a model staked on an answer about what it sees, in any family. Episodes of the channel
-- natural have no row.
select * from episode.{family}_stakes
