-- grain: one row per family, variant, axis
-- The variant under a label: with it, prompt sets are an axis. metacog's own views compare other
-- settings.
select
    family,
    variant,
    'variant' as axis,
    split_part(variant, '+', 1) as value
from stage.metacog_episodes
group by family, variant
