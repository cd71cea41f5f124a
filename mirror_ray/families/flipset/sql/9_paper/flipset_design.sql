-- grain: one row per family, quantity
-- What arXiv 2602.15892 states about its design (`reference`) and what this run has (`estimate`).
-- Strings are counted without generated ones.
with instances as (
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
    from instances
    union all
    select
        'flipset' as family,
        'arXiv 2602.15892' as source,
        'strings: ' || stated.item_class as quantity,
        coalesce(classes.strings, 0)::double as estimate,
        stated.reference
    from macro.flipset_design() as stated
    left join classes using (item_class)
)

select
    * exclude (source) replace (reference::double as reference),
    source
from quantities
