-- grain: one row per episode_id
-- held: by parts
-- The paper's scores of an episode (arXiv 2605.08816). Steps count from 1; t_last is the done step,
-- else the last one; "before" means before the done step, else anywhere. An episode with an error
-- has no scores. sc_final is the stricter interpretation of sc: the identification at t_last is
-- right. A branch has no score based on evidence, because its model saw the frames before the
-- branch in another episode. `cluster` is the independent unit: a scene; each run of a seed draws
-- another. Without a mirror there is no evidence: mcr and mtato are 0. The columns from
-- n_played on also count steps after done, and are not NULL for episodes with an error.
with judged as (
    select
        episodes.*,
        episodes.scene_seed || '.' || episodes.run as cluster,
        played.* exclude (episode_id),
        coalesce(len(episodes.cube_colors), 0) = 0 as open_ended,
        played.episode_id is not null and episodes.error_kind = 'none' as scored,
        scored and episodes.branch_step is null as is_whole,
        played.t_done is not null as is_done,
        coalesce(played.t_done, played.last_step) as t_last,
        coalesce(
            played.t_evidence < coalesce(played.t_done, played.last_step + 1), false
        ) as saw_evidence,
        coalesce(played.t_claim < played.t_evidence, false) as claimed_first
    from stage.selfid_episodes as episodes
    left join stage.selfid_trajectories as played using (episode_id)
),

answered as (
    select
        *,
        coalesce(
            is_done and if(open_ended, final_claim, final_cube) = ego_color, false
        ) as is_right,
        claimed_first and first_claim <> ego_color as is_misled
    from judged
)

select
    {identity},
    'mirror_px_threshold='
    || macro.evidence_px(640, 480)
    || coalesce('+evidence=' || nullif(getvariable('evidence'), 'reflection'), '') as parameters,
    error_kind,
    error_kind <> 'none' as failed,
    terminated, truncated, max_steps, ego_color, n_others, mirror_present,
    near_at_done, n_steps, parent_id, branch_step,
    if(open_ended, null, 1 / len(cube_colors)) as chance,
    if(scored, t_done, null) as t_done,
    if(scored, t_evidence, null) as t_evidence,
    if(scored, t_claim, null) as t_claim,
    if(scored, t_truth_last, null) as t_truth_last,
    if(scored, first_claim, null) as first_claim,
    if(scored, final_claim, null) as final_claim,
    if(scored, final_cube, null) as final_cube,
    if(scored, is_done, null) as done,
    if(scored, is_right::integer, null) as tsa,
    if(scored, t_last::integer, null) as ttd,
    if(is_whole, saw_evidence::integer, null) as mcr,
    if(is_whole and is_right, saw_evidence::integer, null) as mtato,
    if(scored, (t_truth is not null)::integer, null) as caal,
    if(
        is_whole, (t_claim is not null and (not saw_evidence or claimed_first))::integer, null
    ) as cr,
    if(scored and is_done, is_right::integer, null) as tsa_c,
    if(is_whole, n_evidence::integer, null) as mgd,
    if(is_whole, is_misled::integer, null) as arsc,
    if(is_whole, is_misled, null) as sc_applicable,
    if(is_whole and is_misled, coalesce(t_truth_last >= t_evidence, false)::integer, null) as sc,
    if(is_whole and is_misled, coalesce(final_claim = ego_color, false)::integer, null) as sc_final,
    n_played, n_replies, n_read, first_step, last_step,
    most_ego_direct_px, first_px, lacks_evidence,
    n_unread, n_unstated, n_palette, n_other_words
from answered
