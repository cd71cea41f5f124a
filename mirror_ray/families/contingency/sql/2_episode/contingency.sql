-- grain: one row per episode_id
-- Scores of an episode, as defined in docs/contingency.md. The pictures so far distinguish the
-- images once each other hand was in another place than one's own in at least one picture. A failed
-- episode has no scores. `cluster` is the independent unit: a scene; each run of a seed draws
-- another.
with differing as (
    select
        episode_id,
        step,
        answer,
        has_moved,
        unnest(differs) as differs,
        unnest([1, 2, 3]) as screen
    from stage.contingency_steps
),

apart as (
    select
        episode_id,
        screen,
        min(step) filter (where differs) as first_step
    from differing
    group by episode_id, screen
),

told as (
    select
        apart.episode_id,
        max(coalesce(apart.first_step, 2147483647)) filter (
            where ['left', 'middle', 'right'][apart.screen] <> episodes.own_place
        ) as told_step
    from apart
    inner join stage.contingency_episodes as episodes using (episode_id)
    where episodes.own_place <> 'none'
    group by apart.episode_id
),

ends as (
    select
        episode_id,
        max(step) as n_played,
        arg_max(answer, step) as answer,
        bool_or(has_moved) as tested
    from stage.contingency_steps
    group by episode_id
),

judged as (
    select
        episodes.*,
        episodes.scene_seed || '.' || episodes.run as cluster,
        ends.n_played,
        told.told_step,
        if(ends.answer = 'unsure', null, ends.answer) as answer,
        ends.tested,
        ends.episode_id is not null as scored,
        list_position(['left', 'middle', 'right'], ends.answer) as chosen
    from stage.contingency_episodes as episodes
    left join ends
        on episodes.episode_id = ends.episode_id and episodes.error_kind = 'none'
    left join told on episodes.episode_id = told.episode_id
)

select
    {identity},
    '' as parameters,
    error_kind,
    error_kind <> 'none' as failed,
    terminated,
    truncated,
    own_place,
    own_shirt,
    follows,
    wears,
    delay,
    frames,
    max_steps,
    n_played,
    told_step,
    answer,
    0.25e0 as chance,
    if(scored, coalesce(answer = own_place, false), null)::integer as correct,
    if(
        scored and list_contains(list_zip(wears, follows), ('own', 'later')),
        coalesce(wears[chosen] = 'own' and answer <> own_place, false),
        null
    )::integer as on_own_shirt,
    if(
        scored and list_contains(follows, 'later'),
        coalesce(follows[chosen] = 'later', false),
        null
    )::integer as on_late,
    if(scored, coalesce(answer = 'none', false), null)::integer as said_none,
    if(scored, answer is null, null)::integer as no_answer,
    tested::integer as tested,
    if(
        scored and own_place <> 'none' and answer is not null,
        n_played < told_step,
        null
    )::integer as too_early,
    if(scored, coalesce(answer = 'left', false), null)::integer as said_left,
    if(scored, coalesce(answer = 'middle', false), null)::integer as said_middle,
    if(scored, coalesce(answer = 'right', false), null)::integer as said_right
from judged
