-- grain: one row per episode_id
-- held: within a part
-- What the steps of an episode come to, in one pass over them for all views above. Steps count from
-- 1; t_last is the done step, else the last one. Nothing counts after it, but for what checks the
-- record (n_played, first_step, last_step, most_ego_direct_px, lacks_evidence) and for what the
-- identifications of all n_played steps are: n_unread, n_unstated, n_palette, n_other_words, and
-- else a colour off the palette. first_px is the own reflection in the first frame. said: the
-- committed statements, in order, each a macro.statement, as lists of text take several times as
-- long; said_m: the distance from the own cube at each. others_px: where what was answered at done
-- is the colour of another agent and not the own, what each frame up to then shows of the others.
-- Episodes without a step are left out.
with dones as (
    select
        episode_id,
        take,
        min(step) as t_done,
        arg_min_null(selected_cube, step) as cube,
        arg_min_null(macro.claim_color(identification), step) as claim
    from stage.selfid_played_steps
    where action = 'done'
    group by episode_id, take
),

facts as (
    select
        episode_id,
        take,
        ego_color as truth,
        macro.evidence_px(image_width_px, image_height_px) as px,
        coalesce(t_done, 2147483647) as t_end,
        cube_x_m[list_position(cube_colors, ego_color)] as own_x_m,
        cube_y_m[list_position(cube_colors, ego_color)] as own_y_m,
        if(len(cube_colors) > 0, dones.cube, dones.claim) as answer,
        answer <> ego_color and list_contains(other_colors, answer) as names_another
    from stage.selfid_episodes
    left join dones using (episode_id, take)
),

-- Here, as to read a word takes long, and below it would be done for each use of it.
words as (
    select
        episode_id,
        take,
        step,
        action,
        selected_cube,
        ego_direct_px,
        ego_reflection_px,
        macro.evidence_seen_px(ego_reflection_px, mirror_px) as seen_px,
        x_m,
        y_m,
        other_px,
        other_reflection_px,
        macro.claim(coalesce(identification_english, identification)) as word
    from stage.selfid_played_steps
),

-- The facts are of the latest take: by them the steps of others fall away.
seen as (
    select
        words.*,
        case
            when words.action is null then 'unread'
            when words.word is null then 'unstated'
            when words.word = 'something else' then 'other'
            when words.word in (
                'red', 'green', 'blue', 'yellow', 'orange',
                'purple', 'pink', 'cyan', 'brown', 'white'
            ) then 'palette'
        end as kind,
        nullif(words.word, 'something else') as claim,
        claim = facts.truth as is_true,
        words.seen_px >= facts.px as has_evidence,
        words.step <= facts.t_end as counts,
        words.step < facts.t_end as is_before,
        claim is not null and counts as is_said,
        counts and coalesce(facts.names_another, false) as shows_others,
        words.x_m - facts.own_x_m as east_m,
        words.y_m - facts.own_y_m as north_m,
        sqrt(east_m * east_m + north_m * north_m) as own_cube_m
    from words
    inner join facts using (episode_id, take)
),

sums as (
    select
        episode_id,
        count(*) as n_played,
        min(step) as first_step,
        max(step) as last_step,
        min(step) filter (where action = 'done') as t_done,
        arg_min_null(selected_cube, step) filter (where action = 'done') as final_cube,
        max(ego_direct_px) as most_ego_direct_px,
        arg_min(ego_reflection_px, step) as first_px,
        bool_or(ego_reflection_px is null) as lacks_evidence,
        count(*) filter (where kind = 'unread') as n_unread,
        count(*) filter (where kind = 'unstated') as n_unstated,
        count(*) filter (where kind = 'palette') as n_palette,
        count(*) filter (where kind = 'other') as n_other_words,
        min(step) filter (where counts and has_evidence) as t_evidence,
        count(*) filter (where counts and has_evidence) as n_evidence,
        min(step) filter (where is_before and is_said) as t_claim,
        min(step) filter (where is_before and is_true) as t_truth,
        max(step) filter (where counts and is_true) as t_truth_last,
        arg_min(claim, step) filter (where is_before) as first_claim,
        arg_max(claim, step) filter (where counts) as last_claim,
        arg_max_null(claim, step) filter (where counts) as final_claim,
        arg_max_null(own_cube_m, step) filter (where counts) as last_m,
        coalesce(list(macro.statement(step, claim)) filter (where is_said), []) as said,
        coalesce(list(own_cube_m) filter (where is_said), []) as said_m,
        list({'direct_px': other_px, 'reflected_px': other_reflection_px})
            filter (where shows_others) as others_px
    from seen
    group by episode_id
)

-- Shards have an episode's steps in order; nothing holds them to it.
select * replace (
    list_sort(said) as said,
    if(said = list_sort(said), said_m, list_select(said_m, list_grade_up(said))) as said_m
)
from sums
