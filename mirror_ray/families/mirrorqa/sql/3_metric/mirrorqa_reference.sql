-- grain: one row per family, condition, split, circular, quantity
-- What the source prints about its test split and what was played: number of questions, and the
-- score of choosing by chance.
with published as (
    select
        unnest([
            {'quantity': 'questions', 'circular': false, 'reference': 1107.0},
            {'quantity': 'chance', 'circular': false, 'reference': 0.437},
            {'quantity': 'chance', 'circular': true, 'reference': 0.188}
        ], recursive := true)
),

items as (
    select
        family,
        condition,
        split,
        scene_seed,
        any_value(chance) as chance,
        any_value(chance_circular) as chance_circular
    from episode.mirrorqa
    where split = 'test'
    group by family, condition, split, scene_seed
),

played as (
    select
        family,
        condition,
        split,
        count(*)::double as questions,
        avg(chance) as chance,
        avg(chance_circular) as chance_circular
    from items
    group by family, condition, split
)

select
    played.family,
    played.condition,
    played.split,
    published.circular,
    published.quantity,
    case
        when published.quantity = 'questions' then played.questions
        when published.circular then played.chance_circular
        else played.chance
    end as estimate,
    published.reference,
    'MirrorQA, test split' as source
from played
cross join published
