-- grain: one row per invariant, episode_id
-- Violated consequences of how episodes are played. Empty for a sound run. What is heard is
-- compared with what the other said in its previous turn: a colour of the palette, or nothing.
with turns as (
    select
        episode_id,
        step,
        role,
        own_step,
        action,
        tell,
        heard_of_own,
        heard_of_other,
        ego_direct_px,
        ego_reflection_px,
        other_reflection_px[1] as other_image_px,
        sqrt((x_m - other_x_m) ** 2 + (y_m - other_y_m) ** 2) as apart_m,
        row_number() over mine as nth,
        max(step) filter (where action = 'done') over mine as done_step,
        -- The other's last statement before this turn.
        last_value(if(role = 'subject', tell, null) ignore nulls) over before as told_by_subject,
        last_value(if(role = 'partner', tell, null) ignore nulls) over before as told_by_partner
    from stage.dyad_steps
    window
        mine as (partition by episode_id, role order by step),
        before as (
            partition by episode_id order by step
            rows between unbounded preceding and 1 preceding
        )
),

sums as (
    select
        episode_id,
        bool_or(ego_direct_px > 0) as saw_itself_directly,
        bool_or(ego_reflection_px + other_image_px > 0) as saw_a_reflection,
        bool_or(ego_reflection_px is null) as lacks_evidence,
        min(apart_m) as nearest_m,
        bool_or(own_step <> nth) as skips,
        bool_or(step > done_step) as goes_on_after_done,
        bool_or(heard_of_own is not null or heard_of_other is not null) as heard,
        bool_or(
            heard_of_own is not null
            and heard_of_own
            is distinct from if(role = 'subject', told_by_partner, told_by_subject)
            and coalesce(if(role = 'subject', told_by_partner, told_by_subject), '') in (
                'red', 'green', 'blue', 'yellow', 'orange',
                'purple', 'pink', 'cyan', 'brown', 'white'
            )
        ) as misheard,
        count(distinct role) as n_roles
    from turns
    group by episode_id
)

select
    unnest(macro.broken([
        {
            'invariant': 'nobody sees its own body but in the mirror',
            'broken': sums.saw_itself_directly
        },
        {
            'invariant': 'without a mirror nothing is reflected',
            'broken': not scores.mirror_present and sums.saw_a_reflection
        },
        {
            'invariant': 'every turn knows its evidence',
            'broken': not scores.failed and sums.lacks_evidence
        },
        {
            'invariant': 'the two never come nearer than 0.7 m',
            'broken': sums.nearest_m < 0.7 - 1e-6
        },
        {'invariant': 'own steps are counted one by one', 'broken': sums.skips},
        {'invariant': 'who is done is asked no more', 'broken': sums.goes_on_after_done},
        {
            'invariant': 'only where they talk anything is heard',
            'broken': not scores.talks and sums.heard
        },
        {'invariant': 'what is heard is what the other told last', 'broken': sums.misheard},
        {
            'invariant': 'a body without a mind has no turns',
            'broken': scores.beside in ('still', 'wandering') and sums.n_roles > 1
        },
        {
            'invariant': 'a whole episode has a score',
            'broken': scores.failed <> (scores.correct is null)
        }
    ])) as invariant,
    {cell},
    episode_id
from episode.dyad as scores
inner join sums using (episode_id)
