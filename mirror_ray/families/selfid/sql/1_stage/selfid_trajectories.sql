-- grain: one row per episode_id
-- held: within a part
-- Totals of an episode's steps, in one pass over them for all views above. Steps count from 1;
-- t_last is the done step, else the last one. Nothing counts after it, except for checks of the
-- record (n_played, first_step, last_step, most_ego_direct_px, lacks_evidence) and for the
-- identifications of all n_played steps: n_unread, n_unstated, n_palette, n_other_words, and
-- otherwise a colour outside the palette. first_px is the own reflection in the first frame. said:
-- the committed statements, in order, each a macro.statement, because lists of text are several
-- times as long; said_m: the distance from the own cube at each. others_px: if the answer at done
-- is the colour of another agent and not the own, what each frame up to then shows of the others.
-- Episodes without a step are left out.
with asks as materialized (
    select
        episode_id,
        take,
        step,
        action,
        identification,
        coalesce(identification_english, identification) as said,
        selected_cube,
        x_m,
        y_m,
        mirror_px,
        ego_direct_px,
        ego_reflection_px,
        other_px,
        other_reflection_px
    from stage.selfid_played_steps
),

dones as (
    select
        episode_id,
        take,
        min(step) as t_done,
        arg_min_null(selected_cube, step) as cube,
        arg_min_null(identification, step) as identification
    from asks
    where action = 'done'
    group by episode_id, take
),

answers as (
    select
        episode_id,
        take,
        ego_color as truth,
        macro.evidence_px(image_width_px, image_height_px) as px,
        t_done,
        dones.cube as final_cube,
        other_colors,
        coalesce(t_done, 2147483647) as t_end,
        cube_x_m[list_position(cube_colors, ego_color)] as own_x_m,
        cube_y_m[list_position(cube_colors, ego_color)] as own_y_m,
        if(
            len(cube_colors) > 0, dones.cube, macro.claim_color(dones.identification)
        ) as answer
    from stage.selfid_episodes
    left join dones using (episode_id, take)
),

facts as (
    select *, answer <> truth and list_contains(other_colors, answer) as names_another from answers
),

-- Reading texts is slow, and steps repeat them, so each is read once. A list, because for distinct
-- rows DuckDB would expect as many as there are steps, and would hash those for the join.
words as (
    select
        said,
        word,
        word in (
            'red', 'green', 'blue', 'yellow', 'orange',
            'purple', 'pink', 'cyan', 'brown', 'white'
        ) as is_palette,
        nullif(word, 'something else') as claim
    from (
        -- Named again in one select, the macro would be bound again, which takes longest of all.
        select said, macro.claim(said) as word
        from (select unnest(list(distinct said)) as said from asks)
    )
),

-- The facts are of the latest take, which removes the steps of other takes.
seen as (
    select
        asks.episode_id,
        asks.step,
        asks.action,
        asks.ego_direct_px,
        asks.ego_reflection_px,
        words.word,
        words.is_palette,
        words.claim,
        facts.t_done,
        facts.final_cube,
        words.claim = facts.truth as is_true,
        macro.evidence_seen_px(asks.ego_reflection_px, asks.mirror_px) >= facts.px as has_evidence,
        asks.step <= facts.t_end as counts,
        if(counts, asks.step, null) as counted,
        if(asks.step < facts.t_end, asks.step, null) as before,
        words.claim is not null and counts as is_said,
        asks.x_m - facts.own_x_m as east_m,
        asks.y_m - facts.own_y_m as north_m,
        sqrt(east_m * east_m + north_m * north_m) as own_cube_m
    from asks
    inner join facts using (episode_id, take)
    left join words on asks.said = words.said
),

-- For few episodes; with all steps these lists would pass through two joins.
others as (
    select
        asks.episode_id,
        list({'direct_px': asks.other_px, 'reflected_px': asks.other_reflection_px}) as others_px
    from asks
    inner join facts using (episode_id, take)
    where facts.names_another and asks.step <= facts.t_end
    group by asks.episode_id
),

-- Filters of aggregates are slower than NULLs, which aggregates ignore.
sums as (
    select
        episode_id,
        count(*) as n_played,
        min(step) as first_step,
        max(step) as last_step,
        any_value(t_done) as t_done,
        any_value(final_cube) as final_cube,
        max(ego_direct_px) as most_ego_direct_px,
        arg_min(ego_reflection_px, step) as first_px,
        bool_or(ego_reflection_px is null) as lacks_evidence,
        count(if(action is null, 1, null)) as n_unread,
        count(if(action is not null and word is null, 1, null)) as n_unstated,
        count(if(action is not null and is_palette, 1, null)) as n_palette,
        count(if(action is not null and word = 'something else', 1, null)) as n_other_words,
        min(if(has_evidence, counted, null)) as t_evidence,
        count(if(has_evidence, counted, null)) as n_evidence,
        min(if(is_said, before, null)) as t_claim,
        min(if(is_true, before, null)) as t_truth,
        max(if(is_true, counted, null)) as t_truth_last,
        arg_min(claim, before) as first_claim,
        arg_max(claim, counted) as last_claim,
        arg_max_null(claim, counted) as final_claim,
        arg_max_null(own_cube_m, counted) as last_m,
        coalesce(list(macro.statement(step, claim)) filter (where is_said), []) as said,
        coalesce(list(own_cube_m) filter (where is_said), []) as said_m
    from seen
    group by episode_id
)

-- Shards keep an episode's steps in order, but this does not rely on it.
select
    sums.* replace (
        list_sort(said) as said,
        if(said = list_sort(said), said_m, list_select(said_m, list_grade_up(said))) as said_m
    ),
    others.others_px
from sums
left join others using (episode_id)
