-- grain: one row per episode_id
-- held: by parts
-- The parts of `selfid_trajectories` that cover all steps of an episode, including those after
-- done, the ego's reflection in the first frame, and how many replies were read.
select
    episode_id, n_played, n_replies, n_read, first_step, last_step,
    most_ego_direct_px, first_px, lacks_evidence,
    n_unread, n_unstated, n_palette, n_other_words
from stage.selfid_trajectories
