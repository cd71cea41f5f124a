-- grain: one row per episode_id
-- held: by parts
-- Where an episode of selfid goes wrong, step by step; each CTE explains its terms. `answer`: the
-- cube selected at done, or without cubes the identification at done. Everything is NULL for an
-- episode that ended with a technical error. Branches are left out.
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
        ) as answer
    from episode.selfid as scores
    inner join stage.selfid_episodes as facts using (episode_id)
    where facts.branch_step is null
),

-- Of the agents in the answer's wrong colour, the one that filled most of a frame.
answers as (
    select
        judged.episode_id,
        judged.answer,
        judged.other_colors,
        judged.px,
        unnest(played.others_direct_px) as shown_px,
        unnest(played.others_mirror_px) as mirrored_px
    from judged
    inner join stage.selfid_trajectories as played using (episode_id)
    where
        judged.answer <> judged.ego_color
        and list_contains(judged.other_colors, judged.answer)
        and played.others_direct_px is not null
),

seen_others as (
    select
        episode_id,
        unnest(range(1, len(other_colors) + 1)) as other,
        unnest(other_colors) as color,
        unnest(shown_px) as direct_px,
        unnest(mirrored_px) as reflected_px,
        answer,
        px
    from answers
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

-- Statements are committed ones, up to t_last; n_blind of them came before any evidence.
statements as (
    select
        episode_id,
        last_claim,
        last_m,
        said,
        said_m,
        macro.statement_words(said) as said_word,
        if(
            t_evidence is null,
            len(said),
            len(list_filter(said, lambda one: (one >> 32)::integer < t_evidence))
        ) as n_blind
    from stage.selfid_trajectories
),

-- saw: the ego's reflection was in view before done · named: a colour was stated after that ·
-- named_right: its own colour · walked: at the end it is near its own cube, or nearer than when it
-- first named its colour (NULL without cubes) · chose_right: task success.
stages as (
    select
        judged.*,
        statements.* exclude (episode_id),
        if(mirror_present, len(said_word) > n_blind, null) as named,
        list_position(said_word[n_blind + 1:], macro.statement_word(ego_color)) as first_right,
        if(ttd is null or not mirror_present, null, first_right is not null) as named_right,
        said_m[n_blind + first_right] as named_m,
        (said[list_position(said_word, macro.statement_word(answer))] >> 32)::integer as t_answer,
        mistaken.other as taken_other,
        case
            when in_room and in_mirror then 'both'
            when in_mirror then 'mirror'
            when in_room then 'room'
        end as taken_seen,
        if(mirror_present, mcr = 1, null) as saw,
        coalesce(last_m <= macro.near_m() or last_m < named_m, last_m <= macro.near_m()) as walked,
        tsa = 1 as chose_right
    from judged
    left join statements on judged.episode_id = statements.episode_id and not judged.failed
    left join mistaken on judged.episode_id = mistaken.episode_id
)

-- funnel_depth: how many stages apply from the first on. failure: of the unsuccessful, the first
-- that applies, in this order; without a mirror the funnel and kinds about looking do not apply.
-- conflict: what the answer followed if the prompt lied.
-- n_repeats: how often the last statement was made in a row at the end; 1 is once.
select
    {cell},
    scene_seed, run, episode_id, parameters,
    failed, answer, saw, named, named_right, walked, chose_right,
    case
        when failed or not mirror_present then null
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
        when mirror_present and not saw then 'never looked'
        when final_claim = ego_color and answer is distinct from ego_color
            then if(mirror_present, 'knew but acted wrong', 'guessed right but acted wrong')
        when not mirror_present and answer is null then 'chose nothing'
        when taken_other is not null then 'took another for self'
        when not mirror_present then 'guessed without a mirror'
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
    len(said_word) as n_statements,
    len(list_filter(said_word, lambda word, i: i > 1 and word <> said_word[i - 1])) as n_changes,
    coalesce(
        list_position(
            list_transform(list_reverse(said_word), lambda word: word <> said_word[-1]), true
        )
        - 1,
        len(said_word)
    ) as n_repeats,
    last_claim as last_statement,
    last_claim = ego_color as last_is_right
from stages
