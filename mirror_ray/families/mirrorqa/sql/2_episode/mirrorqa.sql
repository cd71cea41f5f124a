-- grain: one row per episode_id
-- Scores of a question ("MirrorQA"). accuracy is for the original order of options; circular is 1
-- if every cyclic shift was answered correctly. readable says whether any option was named: a reply
-- that names none is a miss; one that hands the question over is readable. If the simulation knows
-- the viewer's frame, frames_agree says whether its left is also the subject's left; if not,
-- confusion is 1 for an answer on the viewer's side. An episode with an error has no scores.
-- `cluster` is the independent unit: a picture, or a scene of the simulation; each run draws
-- another.
with answers as (
    select
        episode_id,
        count(*) as n_asks,
        any_value(choice) filter (where shift = 0) as choice,
        any_value(choice_position) filter (where shift = 0) as choice_position,
        any_value(answer_position) filter (where shift = 0) as answer_position,
        any_value(skipped) filter (where shift = 0) as skipped,
        any_value(shot) filter (where shift = 0) as shot,
        any_value(azimuth_deg) filter (where shift = 0) as azimuth_deg,
        any_value(elevation_deg) filter (where shift = 0) as elevation_deg,
        any_value(limb_px) filter (where shift = 0) as limb_px,
        any_value(limb_hidden_px) filter (where shift = 0) as limb_hidden_px,
        any_value(subject_px) filter (where shift = 0) as subject_px,
        any_value(subject_height_px) filter (where shift = 0) as subject_height_px,
        any_value(limb_right_px) filter (where shift = 0) as limb_right_px,
        bool_and(correct) as all_correct
    from stage.mirrorqa_asks
    group by episode_id
),

judged as (
    select
        episodes.*,
        coalesce(episodes.item, episodes.scene_seed || '.' || episodes.run) as cluster,
        answers.* exclude (episode_id, n_asks),
        episodes.error_kind = 'none' as scored,
        coalesce(choice = answer, false) as is_right,
        coalesce(
            split_part(choice, ' ', 1) = split_part(viewer_answer, ' ', 1), false
        ) as is_viewers,
        viewer_answer = answer as frames_agree
    from stage.mirrorqa_episodes as episodes
    left join answers using (episode_id)
)

select
    {identity},
    '' as parameters,
    error_kind,
    not scored as failed,
    terminated,
    truncated,
    item,
    kind,
    orientation,
    n_options,
    answer,
    part,
    mark,
    facing,
    shown,
    n_subjects,
    viewer_answer,
    frames_agree,
    circular as asked_circular,
    shot,
    azimuth_deg,
    elevation_deg,
    limb_px,
    limb_hidden_px,
    subject_px,
    subject_height_px,
    limb_right_px,
    image_height_px,
    split,
    label,
    question,
    1 / n_options as chance,
    n_options::double ** -n_options as chance_circular,
    if(scored, choice, null) as choice,
    if(scored, choice_position, null) as choice_position,
    answer_position,
    if(scored, is_right::integer, null) as accuracy,
    if(scored and circular, all_correct::integer, null) as circular,
    if(scored and circular, all_correct::integer - is_right::integer, null) as circular_delta,
    if(scored, (choice is not null or coalesce(skipped, false))::integer, null) as readable,
    if(scored and frames_agree, is_right::integer, null) as same_frame,
    if(scored and not frames_agree, is_right::integer, null) as other_frame,
    if(scored and not frames_agree, is_viewers::integer, null) as confusion
from judged
