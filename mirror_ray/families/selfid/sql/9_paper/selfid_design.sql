-- grain: one row per family, quantity
-- What arXiv 2605.08816 states about its design (`reference`) and what this run has (`estimate`).
with cells as (
    select
        count(distinct model) as models,
        count(distinct condition) as conditions,
        count(distinct (model, condition)) as cells,
        count(*) as episodes,
        avg(chance) filter (where condition <> 'E5') as chance
    from episode.selfid
    where condition in ('E1', 'E2', 'E3', 'E4', 'E5') and variant = 'paper'
),

quantities as (
    select
        'selfid' as family,
        'arXiv 2605.08816' as source,
        unnest([
            {'quantity': 'models', 'estimate': models::double, 'reference': 8.0},
            {'quantity': 'conditions', 'estimate': conditions::double, 'reference': 5.0},
            {'quantity': 'cells', 'estimate': cells::double, 'reference': 40.0},
            {'quantity': 'episodes', 'estimate': episodes::double, 'reference': 840.0},
            {'quantity': 'chance, E1 to E4', 'estimate': chance::double, 'reference': 1 / 3}
        ], recursive := true)
    from cells
)

select
    * exclude (source) replace (reference::double as reference),
    source
from quantities
