-- grain: one row per family, quantity
-- What the papers state of their designs (`reference`, by `source`) beside what this run holds
-- (`estimate`), of the families that it holds. Strings and questions are counted without generated
-- and simulated ones.
with flipset as (
    select
        count(distinct item) as strings,
        count(distinct layout) as orders,
        count(distinct (item, layout)) as instances,
        avg(chance) as chance
    from episode.flipset
    where condition = 'L2' and not regexp_matches(variant, '[+](strings|layouts|angle_deg)=')
),

classes as (
    select
        item_class,
        count(distinct item) as strings
    from episode.flipset
    where condition = 'L2' and not regexp_matches(variant, '[+](strings|angle_deg)=')
    group by item_class
),

mirrorqa as (
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

selfid as (
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
        'flipset' as family,
        'arXiv 2602.15892' as source,
        unnest([
            {'quantity': 'strings', 'estimate': strings::double, 'reference': 28.0},
            {'quantity': 'orders of options', 'estimate': orders::double, 'reference': 12.0},
            {'quantity': 'instances', 'estimate': instances::double, 'reference': 336.0},
            {'quantity': 'chance', 'estimate': chance::double, 'reference': 0.25}
        ], recursive := true)
    from flipset
    union all
    select
        'flipset' as family,
        'arXiv 2602.15892' as source,
        'strings: ' || stated.item_class as quantity,
        coalesce(classes.strings, 0)::double as estimate,
        stated.reference
    from (
        select
            unnest([
                {'item_class': 'two digits', 'reference': 2.0},
                {'item_class': 'two digits mixed', 'reference': 2.0},
                {'item_class': 'three digits mixed', 'reference': 4.0},
                {'item_class': 'single letter', 'reference': 4.0},
                {'item_class': 'two letters', 'reference': 2.0},
                {'item_class': 'two letters mixed', 'reference': 4.0},
                {'item_class': 'three letters mixed', 'reference': 6.0},
                {'item_class': 'four letters mixed', 'reference': 2.0},
                {'item_class': 'four combo mixed', 'reference': 2.0}
            ], recursive := true)
    ) as stated
    left join classes using (item_class)
    union all
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
    from mirrorqa
    union all
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
    from selfid
)

select
    family,
    quantity,
    estimate,
    reference,
    source
from quantities
where family in (select family from quantities where estimate > 0)
