-- grain: one row per family, quirk
-- Liberties taken in reading the public data, and the number of played rows with each.
with items as (
    select
        family,
        split,
        item,
        question,
        any_value(quirks) as quirks
    from stage.mirrorqa_episodes
    where split is not null
    group by family, split, item, question
),

totals as (
    select
        family,
        count(*) as n_rows
    from items
    group by family
),

quirks as (
    select
        family,
        unnest(quirks) as quirk
    from items
)

select
    quirks.family,
    quirks.quirk,
    count(*) as n,
    any_value(totals.n_rows) as n_rows
from quirks
inner join totals using (family)
group by quirks.family, quirks.quirk
