-- grain: one row per invariant, episode_id
-- Violated consequences of how episodes are played. Empty for a sound run.
with pixels as (
    select
        episode_id,
        max(own_direct_px) as most_own_direct_px,
        max(mark_direct_px) as most_mark_direct_px,
        max(mark_reflection_px) as most_mark_reflection_px,
        bool_or(mark_direct_px is null) as lacks_evidence,
        bool_or(touched = 'mark' and hand_mark_m > 0.0851) as touched_from_afar
    from stage.marktest_steps
    group by episode_id
)

select
    unnest(macro.broken([
        {
            'invariant': 'the own face and chest are never seen directly',
            'broken': pixels.most_own_direct_px > 0
        },
        {
            'invariant': 'a mark on them is never seen directly',
            'broken': scores.marked = 'own' and pixels.most_mark_direct_px > 0
        },
        {
            'invariant': 'without a mirror nothing is reflected',
            'broken': scores.reflector <> 'mirror' and pixels.most_mark_reflection_px > 0
        },
        {
            'invariant': 'no mark is seen where none was made',
            'broken': scores.marked = 'nothing'
            and pixels.most_mark_direct_px + pixels.most_mark_reflection_px > 0
        },
        {
            'invariant': 'every step knows its evidence',
            'broken': not scores.failed and pixels.lacks_evidence
        },
        {'invariant': 'a mark is touched from near it', 'broken': pixels.touched_from_afar},
        {
            'invariant': 'terminated means ended, or a mark touched',
            'broken': scores.terminated <> (scores.has_ended or scores.on_mark = 1)
        },
        {
            'invariant': 'a whole episode has a score',
            'broken': scores.failed <> (scores.passed is null)
        }
    ])) as invariant,
    {cell},
    episode_id
from episode.marktest as scores
inner join pixels using (episode_id)
