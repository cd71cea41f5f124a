-- grain: one row per episode_id
-- The paper's scores of an episode (arXiv 2605.08816). Steps count from 1; t_last is the done step,
-- else the last one; "before" means before the done step, else anywhere. A failed episode has no
-- scores. sc_final is the stricter reading of sc: the identification at t_last is right. A branch
-- has no score that rests on evidence: what its model saw before the branch is another episode's.
with dones as (
    select
        episode_id,
        min(step) as t_done
    from stage.selfid_steps
    where action = 'done'
    group by episode_id
),

facts as (
    select
        episode_id,
        ego_color as truth,
        macro.evidence_px(image_width_px, image_height_px) as px,
        t_done,
        coalesce(t_done, 2147483647) as t_end
    from stage.selfid_episodes
    left join dones using (episode_id)
    where error_kind = 'none'
),

seen as (
    select
        episode_id,
        steps.step,
        facts.t_end,
        facts.t_done,
        facts.truth,
        steps.selected_cube,
        nullif(steps.identification, 'unknown') as claim,
        steps.ego_reflection_px >= facts.px as has_evidence
    from stage.selfid_steps as steps
    inner join facts using (episode_id)
),

claims as (
    select
        episode_id,
        any_value(t_done) as t_done,
        least(max(step), any_value(t_end)) as t_last,
        coalesce(any_value(t_done), max(step) + 1) as t_limit,
        min(step) filter (where has_evidence and step <= t_end) as t_evidence,
        count(*) filter (where has_evidence and step <= t_end) as n_evidence,
        min(step) filter (where claim is not null and step < t_end) as t_claim,
        arg_min(claim, step) filter (where step < t_end) as first_claim,
        min(step) filter (where claim = truth and step < t_end) as t_truth,
        max(step) filter (where claim = truth and step <= t_end) as t_truth_last,
        arg_max_null(claim, step) filter (where step <= t_end) as final_claim,
        max(selected_cube) filter (where step = t_done) as final_cube
    from seen
    group by episode_id
),

judged as (
    select
        episodes.*,
        claims.* exclude (episode_id),
        coalesce(len(episodes.cube_colors), 0) = 0 as open_ended,
        claims.episode_id is not null as scored,
        claims.episode_id is not null and episodes.branch_step is null as is_whole,
        claims.t_done is not null as is_done,
        coalesce(claims.t_evidence < claims.t_limit, false) as saw_evidence,
        coalesce(claims.t_claim < claims.t_evidence, false) as claimed_first
    from stage.selfid_episodes as episodes
    left join claims using (episode_id)
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
    sweep,
    family,
    condition,
    model,
    cell_id,
    episode_id,
    scene_seed,
    run,
    temperature,
    variant,
    take,
    'mirror_px_threshold=' || macro.evidence_px(640, 480) as parameters,
    error_kind,
    error_kind <> 'none' as failed,
    terminated,
    truncated,
    max_steps,
    ego_color,
    n_others,
    mirror_present,
    near_at_done,
    parent_id,
    branch_step,
    if(open_ended, 1 / 10, 1 / len(cube_colors)) as chance,
    t_done,
    t_evidence,
    t_claim,
    t_truth_last,
    first_claim,
    final_claim,
    final_cube,
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
    if(is_whole and is_misled, coalesce(final_claim = ego_color, false)::integer, null) as sc_final
from answered
