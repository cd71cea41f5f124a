-- grain: one row per episode_id
-- Where an episode of selfid fails, step by step; what the words mean stands with each CTE.
-- `answer`: the cube selected at done, without cubes the identification at done. All is NULL for an
-- episode that failed for a technical reason. Branches are left out.
with judged as (
    select
        scores.*,
        facts.wrong_color,
        facts.other_colors,
        macro.evidence_px(facts.image_width_px, facts.image_height_px) as px,
        if(
            scores.done,
            nullif(if(len(facts.cube_colors) > 0, scores.final_cube, scores.final_claim), 'none'),
            null
        ) as answer,
        facts.cube_x_m[list_position(facts.cube_colors, scores.ego_color)] as own_x_m,
        facts.cube_y_m[list_position(facts.cube_colors, scores.ego_color)] as own_y_m
    from episode.selfid as scores
    inner join stage.selfid_episodes as facts using (episode_id)
    where facts.branch_step is null
),

steps as (
    select
        judged.episode_id,
        played.step,
        nullif(played.identification, 'unknown') as claim,
        judged.ego_color as truth,
        judged.answer,
        judged.ttd as t_last,
        played.step >= judged.t_evidence as has_seen,
        sqrt((played.x_m - own_x_m) ** 2 + (played.y_m - own_y_m) ** 2) as own_cube_m
    from stage.selfid_steps as played
    inner join judged using (episode_id)
    where played.step <= judged.ttd
),

-- Statements are committed ones, up to t_last.
statements as (
    select
        episode_id,
        count(claim) filter (where has_seen) > 0 as named,
        count(claim) filter (where has_seen and claim = truth) > 0 as named_right,
        arg_min(own_cube_m, step) filter (where has_seen and claim = truth) as named_m,
        max(own_cube_m) filter (where step = t_last) as last_m,
        min(step) filter (where claim = answer) as t_answer,
        coalesce(list(claim order by step) filter (where claim is not null), []) as claims
    from steps
    group by episode_id
),

-- Of the agents in the answer's wrong colour, the one that filled most of a frame.
seen_others as (
    select
        judged.episode_id,
        unnest(range(1, len(judged.other_colors) + 1)) as other,
        unnest(judged.other_colors) as color,
        unnest(played.other_px) as direct_px,
        unnest(played.other_reflection_px) as reflected_px,
        judged.answer,
        judged.px
    from stage.selfid_steps as played
    inner join judged using (episode_id)
    where
        played.step <= judged.ttd
        and judged.answer <> judged.ego_color
        and list_contains(judged.other_colors, judged.answer)
),

mistaken as (
    select
        episode_id,
        arg_max(other, greatest(direct_px, reflected_px)) as other,
        max(direct_px) >= any_value(px) as in_room,
        max(reflected_px) >= any_value(px) as in_mirror
    from seen_others
    where color = answer
    group by episode_id
    having in_room or in_mirror
),

-- saw: the own reflection was in view before done · named: a colour was stated after that ·
-- named_right: the own one · walked: at the end it stands near the own cube, or nearer than when
-- it first named its colour (NULL without cubes) · chose_right: task success.
stages as (
    select
        judged.*,
        statements.* exclude (episode_id),
        mistaken.other as taken_other,
        case
            when in_room and in_mirror then 'both'
            when in_mirror then 'mirror'
            when in_room then 'room'
        end as taken_seen,
        mcr = 1 as saw,
        coalesce(last_m <= macro.near_m() or last_m < named_m, last_m <= macro.near_m()) as walked,
        tsa = 1 as chose_right
    from judged
    left join statements using (episode_id)
    left join mistaken using (episode_id)
)

-- funnel_depth: how many stages hold from the first on. failure: of the unsuccessful, the first
-- that applies, in this order. conflict: where the prompt lied, whom the answer followed.
-- n_repeats: how often the last statement was made in a row at the end; 1 is once.
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    episode_id,
    parameters,
    failed,
    answer,
    saw,
    named,
    named_right,
    walked,
    chose_right,
    case
        when failed then null
        when not saw then 0
        when not named then 1
        when not named_right then 2
        when not walked then 3
        when not chose_right then 4
        else 5
    end as funnel_depth,
    case
        when failed or chose_right then null
        when not done then 'never finished'
        when not saw then 'never looked'
        when final_claim = ego_color and answer is distinct from ego_color
            then 'knew but acted wrong'
        when taken_other is not null then 'took another for self'
        when t_answer < t_evidence then 'guessed before looking'
        else 'looked but not extracted'
    end as failure,
    taken_other,
    if(taken_other is null, null, answer) as taken_color,
    taken_seen,
    case
        when failed or wrong_color is null then null
        when answer = wrong_color then 'lie'
        when answer = ego_color then 'mirror'
        else 'neither'
    end as conflict,
    len(claims) as n_statements,
    len(list_filter(claims, lambda claim, i: i > 1 and claim <> claims[i - 1])) as n_changes,
    coalesce(
        list_position(list_transform(list_reverse(claims), lambda claim: claim <> claims[-1]), true)
        - 1,
        len(claims)
    ) as n_repeats,
    claims[-1] as last_statement,
    claims[-1] = ego_color as last_is_right
from stages
