-- grain: one row per episode_id
-- Scores of an episode for its subject, as defined in docs/dyad.md; `partner_choice` is the
-- partner's. An episode with an error has no scores. `cluster` is the independent unit: a scene;
-- each run of a seed draws another. The two players of a room are one unit. Chance is that of one
-- cube of three.
with judged as (
    select
        episodes.*,
        episodes.scene_seed || '.' || episodes.run as cluster,
        own.* exclude (
            sweep,
            family,
            condition,
            temperature,
            variant,
            cell_id,
            episode_id,
            scene_seed,
            run,
            take,
            talks,
            mirror_present,
            model,
            role
        ),
        own.choice is not null as scored,
        partner.choice as partner_choice,
        partner.chosen as partner_chosen
    from stage.dyad_episodes as episodes
    left join stage.dyad_trajectories as own
        on episodes.episode_id = own.episode_id and own.role = 'subject'
    left join stage.dyad_trajectories as partner
        on episodes.episode_id = partner.episode_id and partner.role = 'partner'
)

select
    {identity},
    '' as parameters,
    error_kind,
    failed,
    terminated,
    truncated,
    beside,
    moves_first,
    talks,
    mirror_present,
    own_color,
    other_color,
    third_color,
    max_steps,
    n_own_steps,
    t_done,
    t_own_image,
    t_other_body,
    t_other_image,
    chosen,
    choice,
    final_claim,
    heard_of_own,
    heard_of_other,
    told_color,
    is_near,
    partner_choice,
    partner_chosen,
    1 / len(cube_colors) as chance,
    if(scored, choice = 'own', null)::integer as correct,
    if(scored and not is_alike, choice = 'other', null)::integer as took_other,
    if(scored, choice = 'neither', null)::integer as took_neither,
    if(scored, choice = 'none', null)::integer as no_choice,
    if(scored and not is_alike, said_not_own, null)::integer as said_other,
    if(scored and mirror_present, t_own_image is not null, null)::integer as looked,
    if(scored, t_other_body is not null, null)::integer as met_other,
    if(
        scored and choice <> 'none' and partner_choice <> 'none', chosen = partner_chosen, null
    )::integer as same_choice,
    if(scored and heard_of_own is not null, coalesce(chosen = heard_of_own, false), null)::integer
        as followed,
    if(
        scored and heard_of_own <> own_color, coalesce(chosen = heard_of_own, false), null
    )::integer as misled,
    if(
        scored and heard_of_other is not null, coalesce(chosen = heard_of_other, false), null
    )::integer as copied,
    if(scored, told_color = other_color, null)::integer as told_truth
from judged
