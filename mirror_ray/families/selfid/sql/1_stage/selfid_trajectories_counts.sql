-- grain: one row per episode_id
-- held: by parts
-- Of `selfid_trajectories`, what all steps of an episode come to, those after done too, and
-- the own reflection in the first frame.
select
    episode_id,
    n_played,
    first_step,
    last_step,
    most_ego_direct_px,
    first_px,
    lacks_evidence,
    n_unread,
    n_unstated,
    n_palette,
    n_other_words
from stage.selfid_trajectories
