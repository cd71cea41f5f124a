-- grain: one row per family, quantity
-- What MirrorQA states about its design (`reference`) and what this run has (`estimate`). Questions
-- are counted without simulated ones.
with questions as (
    select
        count(*) as questions,
        avg(chance) as chance,
        avg(chance_circular) as chance_circular
    from (
        select
            scene_seed,
            any_value(chance) as chance,
            any_value(chance_circular) as chance_circular
        from episode.mirrorqa
        where split = 'test'
        group by scene_seed
    )
),

quantities as (
    select
        'mirrorqa' as family,
        'MirrorQA, test split' as source,
        unnest([
            {'quantity': 'questions', 'estimate': questions::double, 'reference': 1107.0},
            {'quantity': 'chance', 'estimate': chance::double, 'reference': 0.437},
            {
                'quantity': 'chance, circular',
                'estimate': chance_circular::double,
                'reference': 0.188
            }
        ], recursive := true)
    from questions
)

select
    * exclude (source) replace (reference::double as reference),
    source
from quantities
