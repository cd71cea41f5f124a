-- grain: one row per episode_id
-- What the hand touched and what the text claims about a mark, as defined in docs/marktest.md. A
-- mark counts as seen from the first frame on that shows the equivalent of 20 pixels of 640 × 480.
-- An episode with an error has no scores. `cluster` is the independent unit: a scene; each run of a
-- seed draws another.
with seen as (
    select
        steps.episode_id,
        steps.step,
        steps.action,
        steps.touched,
        steps.claim,
        steps.image_as,
        (steps.mark_reflection_px + steps.mark_direct_px) * 307200.0
        / (episodes.image_width_px * episodes.image_height_px) >= 20 as shows_mark
    from stage.marktest_steps as steps
    inner join stage.marktest_episodes as episodes using (episode_id)
),

firsts as (
    select
        episode_id,
        coalesce(min(step) filter (where shows_mark), 2147483647) as t_mark
    from seen
    group by episode_id
),

sums as (
    select
        episode_id,
        firsts.t_mark < 2147483647 as was_seen,
        count(*) as n_played,
        count(seen.touched) as n_touches,
        min(seen.step) filter (where seen.touched is not null) as t_touch,
        arg_min(seen.touched, seen.step) filter (where seen.touched is not null) as first_touched,
        coalesce(bool_or(seen.action = 'end'), false) as has_ended,
        arg_max(seen.claim, seen.step) filter (where seen.claim is not null) as last_claim,
        coalesce(bool_or(seen.touched = 'mark'), false) as touched_mark,
        coalesce(bool_or(seen.touched = 'place'), false) as touched_place,
        coalesce(bool_or(seen.touched = 'counterpart'), false) as touched_counterpart,
        coalesce(bool_or(seen.touched = 'image'), false) as touched_image,
        coalesce(bool_or(seen.touched in ('image', 'surface')), false) as touched_surface,
        coalesce(bool_or(seen.touched = 'other'), false) as touched_other,
        coalesce(bool_or(seen.claim = 'own'), false) as claimed_own,
        coalesce(bool_or(seen.claim = 'own' and seen.step < firsts.t_mark), false)
            as claimed_unseen,
        coalesce(bool_or(seen.image_as = 'other'), false) as called_other,
        coalesce(bool_or(seen.image_as = 'self'), false) as called_self
    from seen
    inner join firsts using (episode_id)
    group by episode_id, firsts.t_mark
),

judged as (
    select
        episodes.*,
        episodes.scene_seed || '.' || episodes.run as cluster,
        sums.* exclude (episode_id),
        episodes.marked in ('own', 'hand') as is_on_self,
        sums.episode_id is not null as scored
    from stage.marktest_episodes as episodes
    left join sums
        on episodes.episode_id = sums.episode_id and episodes.error_kind = 'none'
)

select
    {identity},
    '' as parameters,
    error_kind,
    error_kind <> 'none' as failed,
    terminated,
    truncated,
    help,
    marked,
    site,
    reflector,
    max_steps,
    least_steps,
    n_touches,
    first_touched,
    has_ended,
    last_claim,
    if(is_on_self, touched_mark, has_ended and n_touches = 0)::integer as passed,
    was_seen::integer as saw_mark,
    touched_mark::integer as on_mark,
    if(marked = 'own', null, touched_place)::integer as on_place,
    touched_counterpart::integer as on_counterpart,
    if(reflector = 'mirror', touched_image, null)::integer as on_image,
    if(reflector = 'none', null, touched_surface)::integer as on_surface,
    if(
        opposite, touched_other or (marked = 'other' and touched_mark), null
    )::integer as on_other,
    t_touch::integer as first_touch,
    if(scored, if(is_on_self, claimed_unseen, claimed_own), null)::integer as false_mark,
    if(is_on_self and was_seen, has_ended and not touched_mark, null)::integer as false_none,
    called_other::integer as social,
    called_self::integer as says_self
from judged
