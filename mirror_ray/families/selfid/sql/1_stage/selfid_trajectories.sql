-- grain: one row per episode_id
-- held: within a part
-- Totals of an episode's steps, in one pass over them for all views above. Steps count from 1;
-- t_last is the done step, else the last one. Nothing counts after it, except for checks of the
-- record (n_played, first_step, last_step, most_ego_direct_px, lacks_evidence) and for the
-- identifications of all n_played steps: n_unread, n_unstated, n_palette, n_other_words, and
-- otherwise a colour outside the palette. first_px: the ego's reflection in the first frame. said:
-- the committed statements, in order, each a macro.statement, because lists of text are several
-- times as long; said_m: the distance from its own cube at each. others_direct_px and
-- others_mirror_px: if the answer at done is the colour of another agent and not its own, what each
-- frame up to then shows of the others. n_read of n_replies were read. Episodes without a step are
-- left out.
with dones as (
    select
        episode_id,
        take,
        min(step) as t_done,
        arg_min_null(selected_cube, step) as cube,
        arg_min_null(identification, step) as identification
    from stage.selfid_played_steps
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
words as materialized (
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
        from (
            select unnest(list(distinct coalesce(identification_english, identification))) as said
            from stage.selfid_played_steps
        )
    )
),

claims as (
    select
        macro.statement_word(claim) as said_word,
        min(claim) as claim
    from words
    where claim is not null
    group by said_word
),

-- The facts are of the latest take, which removes the steps of other takes.
seen as (
    select
        asks.episode_id, asks.step, asks.action, asks.parse_status,
        asks.ego_direct_px, asks.ego_reflection_px, asks.other_px, asks.other_reflection_px,
        words.word, words.is_palette, words.claim,
        facts.t_done, facts.final_cube,
        words.claim = facts.truth as is_true,
        macro.evidence_seen_px(asks.ego_reflection_px, asks.mirror_px) >= facts.px as has_evidence,
        asks.step <= facts.t_end as counts,
        if(counts, asks.step, null) as counted,
        if(asks.step < facts.t_end, asks.step, null) as before,
        words.claim is not null and counts as is_said,
        facts.names_another and counts as shows_another,
        asks.x_m - facts.own_x_m as east_m,
        asks.y_m - facts.own_y_m as north_m,
        sqrt(east_m * east_m + north_m * north_m) as own_cube_m
    from stage.selfid_played_steps as asks
    inner join facts using (episode_id, take)
    left join words on coalesce(asks.identification_english, asks.identification) = words.said
),

-- Filters of aggregates are slower than NULLs, which aggregates ignore.
sums as (
    select
        episode_id,
        count(*) as n_played,
        count(parse_status) as n_replies,
        count(if(parse_status <> 'failed', 1, null)) as n_read,
        min(step) as first_step,
        max(step) as last_step,
        any_value(t_done) as t_done,
        any_value(final_cube) as final_cube,
        max(ego_direct_px) as most_ego_direct_px,
        arg_min(ego_reflection_px, step) as first_px,
        count(ego_reflection_px) < count(*) as lacks_evidence,
        count(*) - count(action) as n_unread,
        count(if(action is not null and word is null, 1, null)) as n_unstated,
        count(if(action is not null and is_palette, 1, null)) as n_palette,
        count(if(action is not null and word = 'something else', 1, null)) as n_other_words,
        min(if(has_evidence, counted, null)) as t_evidence,
        count(if(has_evidence, counted, null)) as n_evidence,
        min(if(is_true, before, null)) as t_truth,
        max(if(is_true, counted, null)) as t_truth_last,
        arg_max_null(own_cube_m, counted) as last_m,
        coalesce(list(macro.statement(step, claim)) filter (where is_said), []) as stated,
        coalesce(list(own_cube_m) filter (where is_said), []) as stated_m,
        list(other_px) filter (where shows_another) as others_direct_px,
        list(other_reflection_px) filter (where shows_another) as others_mirror_px
    from seen
    group by episode_id
),

-- Shards keep an episode's steps in order, but this does not rely on it.
in_order as (
    select
        * exclude (stated, stated_m),
        list_sort(stated) as said,
        if(stated = said, stated_m, list_select(stated_m, list_grade_up(stated))) as said_m,
        (said[1] >> 32)::integer as t_first,
        (said[-1] >> 32)::integer as t_last
    from sums
)

select
    in_order.* exclude (t_first, t_last),
    if(t_done <= t_first, null, t_first) as t_claim,
    if(t_done <= t_first, null, firsts.claim) as first_claim,
    lasts.claim as last_claim,
    if(t_last = coalesce(t_done, last_step), lasts.claim, null) as final_claim
from in_order
left join claims as firsts on in_order.said[1] & 4294967295 = firsts.said_word
left join claims as lasts on in_order.said[-1] & 4294967295 = lasts.said_word
