-- grain: one row per condition, model, temperature, setting, twin
-- Whether the choice follows the body. A twin of a scene differs in one thing: the ego's body has
-- the colour of the third cube (body_color), or the ego's cube and the third one are swapped
-- (cube_places). Choices are the cube at done, or without cubes the identification. followed: right
-- in both. stayed: the same answer for both bodies, or, with cubes swapped, the same place although
-- it has another cube. elsewhere: everything else, including no choice. Pairs with a failed episode
-- are omitted. followed_chance, stayed_chance: for independent guesses among the cubes; NULL
-- without cubes.
-- replies: condition; model; temperature
-- replies: setting = regexp_replace(variant, '\+(body_color|cube_places)=[^+]*', '', 'g')
with settings as (
    select
        variant,
        regexp_replace(variant, '\+(body_color|cube_places)=[^+]*', '', 'g') as setting
    from stage.selfid_episodes_labels
),

-- Labels name what is not as drawn; without such labels, no episode is read.
changed_settings as (
    select
        variant,
        setting
    from settings
    qualify bool_or(variant <> setting) over (partition by setting)
),

facts as (
    select
        episode_id, body_color, cube_places, cube_colors
    from stage.selfid_episodes
    where variant in (select variant from changed_settings)
),

answers as (
    select
        scores.family, scores.condition, scores.model, scores.temperature, scores.scene_seed,
        scores.run, scores.ego_color,
        coalesce(facts.body_color, 'drawn') as body_color,
        coalesce(facts.cube_places, 'drawn') as cube_places,
        scores.variant,
        scores.done = 1 as is_done,
        if(
            scores.done = 1,
            if(len(facts.cube_colors) > 0, scores.final_cube, scores.final_claim),
            null
        ) as answer,
        list_position(facts.cube_colors, answer) as place,
        nullif(len(facts.cube_colors), 0) as n_cubes
    from episode.selfid as scores
    inner join facts using (episode_id)
    where not scores.failed and scores.branch_step is null
),

answered as (
    select
        answers.*,
        struct_pack(family, condition, model, temperature, setting) as cell
    from answers
    inner join changed_settings using (variant)
),

pairs as (
    select
        drawn.cell,
        if(changed.body_color <> 'drawn', 'body_color', 'cube_places') as twin,
        drawn.n_cubes,
        coalesce(drawn.answer = drawn.ego_color and changed.answer = changed.ego_color, false)
            as followed,
        coalesce(
            if(
                changed.body_color <> 'drawn',
                drawn.answer = changed.answer,
                drawn.place = changed.place
            ),
            false
        ) as stayed
    from answered as drawn
    inner join answered as changed
        on
            drawn.cell = changed.cell
            and drawn.scene_seed = changed.scene_seed
            and drawn.run = changed.run
    where
        drawn.body_color = 'drawn'
        and drawn.cube_places = 'drawn'
        and (changed.body_color <> 'drawn') <> (changed.cube_places <> 'drawn')
),

counted as (
    select
        cell,
        twin,
        count(*) as n,
        any_value(n_cubes) as n_cubes,
        count(*) filter (where followed) as n_followed,
        count(*) filter (where stayed and not followed) as n_stayed,
        count(*) filter (where not stayed and not followed) as n_elsewhere
    from pairs
    group by cell, twin
)

select
    cell.*,
    * exclude (cell, n_cubes),
    n_followed / n as followed,
    macro.wilson_low(n_followed, n) as followed_low,
    macro.wilson_high(n_followed, n) as followed_high,
    1 / (n_cubes * n_cubes) as followed_chance,
    n_stayed / n as stayed,
    macro.wilson_low(n_stayed, n) as stayed_low,
    macro.wilson_high(n_stayed, n) as stayed_high,
    1 / n_cubes as stayed_chance
from counted
