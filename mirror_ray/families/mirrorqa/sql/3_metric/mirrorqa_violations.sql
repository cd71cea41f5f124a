-- grain: one row per invariant, episode_id
-- Violated consequences of how questions are asked. Empty for a sound run.
with asks as (
    select
        episode_id,
        count(*) as n,
        count(distinct options[1]) as n_first,
        bool_and(correct = coalesce(choice = options[answer_position], false)) as marked_right,
        bool_and(choice is null or choice = options[choice_position]) as placed_right,
        bool_or(limb_px is not null and limb_px = 0) as limb_unseen,
        bool_or(coalesce(subject_direct_px, 0) > 0) as seen_directly,
        bool_or(coalesce(mirror_px, 0) > 0) as mirror_seen
    from stage.mirrorqa_asks
    group by episode_id
),

facts as (
    select
        scores.*,
        asks.* exclude (episode_id)
    from episode.mirrorqa as scores
    left join asks using (episode_id)
)

select
    unnest(macro.broken([
        {'invariant': 'circular ≤ accuracy', 'broken': circular > accuracy},
        {'invariant': 'a whole episode has a score', 'broken': failed <> (accuracy is null)},
        {
            'invariant': 'every shift is asked once, or the first alone',
            'broken': not failed
                and (n <> if(asked_circular, n_options, 1) or n_first <> n)
        },
        {'invariant': 'right means the right option', 'broken': not marked_right},
        {'invariant': 'a choice is an option', 'broken': not placed_right},
        {'invariant': 'the limb in question is seen', 'broken': limb_unseen},
        {
            'invariant': 'seen in the mirror alone means not directly',
            'broken': shown = 'reflection' and seen_directly
        },
        {'invariant': 'seen directly means no mirror', 'broken': shown = 'direct' and mirror_seen},
        {
            'invariant': 'the viewer''s answer is on the side on which the limb is seen',
            'broken':
                limb_right_px <> 0
                and (split_part(viewer_answer, ' ', 1) = 'right') <> (limb_right_px > 0)
        }
    ])) as invariant,
    {cell},
    episode_id
from facts
