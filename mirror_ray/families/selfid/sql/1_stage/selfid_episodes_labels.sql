-- grain: one row per family, variant
-- held: whole
-- The meaning of a variant's label, according to its episodes; NULL for axes that they do not
-- state.
select
    family,
    variant,
    any_value(columns(* exclude (family, variant, episode_id)))
from stage.selfid_episodes_axes
group by family, variant
