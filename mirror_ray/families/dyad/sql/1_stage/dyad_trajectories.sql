-- grain: one row per episode_id, role
-- Totals of the turns of each player of an episode: whom it took for itself, what it had seen and
-- heard by then, and what it told. Own steps count from 1; nothing counts after done. `beside` is
-- the model that moves the other body, or still or wandering. `chosen` is the colour of the cube
-- chosen at done, `choice` the same as own, other, neither or none; if both bodies have one colour
-- it is own. Told and heard colours are the latest; NULL if none was named. `told_color` is the
-- colour that it attributed to the other.
with dones as (
    select
        episode_id,
        role,
        min(own_step) as t_done
    from stage.dyad_steps
    where action = 'done'
    group by episode_id, role
),

turns as (
    select
        asks.*,
        dones.t_done,
        macro.claim(asks.identification) as claim,
        own_step < coalesce(t_done, 2147483647) as is_before,
        list_contains([
            'red', 'green', 'blue', 'yellow', 'orange',
            'purple', 'pink', 'cyan', 'brown', 'white'
        ], asks.tell) as tells
    from stage.dyad_steps as asks
    left join dones on asks.episode_id = dones.episode_id and asks.role = dones.role
    where asks.own_step <= coalesce(dones.t_done, 2147483647)
),

minds as (
    select
        episodes.episode_id,
        unnest([
            {
                'role': 'subject',
                'model': model,
                'beside': coalesce(partner, other),
                'moves_first': subject_first,
                'own': own_color,
                'not_own': other_color,
                'is_near': near_at_done
            },
            {
                'role': 'partner',
                'model': partner,
                'beside': model,
                'moves_first': not subject_first,
                'own': other_color,
                'not_own': own_color,
                'is_near': partner_near_at_done
            }
        ], recursive := true)
    from stage.dyad_episodes as episodes
),

sums as (
    select
        turns.episode_id,
        turns.role,
        max(own_step) as n_own_steps,
        any_value(t_done) as t_done,
        arg_min(selected_cube, own_step) filter (where action = 'done') as chosen,
        arg_max_null(claim, own_step) as final_claim,
        bool_or(coalesce(claim = not_own, false)) as said_not_own,
        min(own_step) filter (
            where is_before
            and ego_reflection_px >= macro.evidence_px(image_width_px, image_height_px)
        ) as t_own_image,
        min(own_step) filter (
            where is_before
            and other_px[1] >= macro.evidence_px(image_width_px, image_height_px)
        ) as t_other_body,
        min(own_step) filter (
            where is_before
            and other_reflection_px[1] >= macro.evidence_px(image_width_px, image_height_px)
        ) as t_other_image,
        arg_max_null(heard_of_own, own_step) as heard_of_own,
        arg_max_null(heard_of_other, own_step) as heard_of_other,
        arg_max(tell, own_step) filter (where tells) as told_color
    from turns
    inner join minds on turns.episode_id = minds.episode_id and turns.role = minds.role
    inner join stage.dyad_episodes as episodes on turns.episode_id = episodes.episode_id
    group by turns.episode_id, turns.role
)

select
    episodes.sweep,
    episodes.family,
    episodes.condition,
    episodes.temperature,
    episodes.variant,
    episodes.cell_id,
    episodes.scene_seed,
    episodes.run,
    episodes.take,
    episodes.talks,
    episodes.mirror_present,
    episodes.error_kind <> 'none' as failed,
    minds.*,
    minds.own = minds.not_own as is_alike,
    sums.* exclude (episode_id, role),
    case
        when sums.episode_id is null or episodes.error_kind <> 'none' then null
        when sums.chosen = minds.own then 'own'
        when sums.chosen = minds.not_own then 'other'
        when list_contains(episodes.cube_colors, sums.chosen) then 'neither'
        else 'none'
    end as choice
from minds
inner join stage.dyad_episodes as episodes on minds.episode_id = episodes.episode_id
left join sums on minds.episode_id = sums.episode_id and minds.role = sums.role
where minds.model is not null
