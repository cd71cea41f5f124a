-- grain: one row per family, variant
-- held: whole
-- What a variant's label stands for, as its episodes say it; NULL where those of versions without
-- an axis do not.
select
    family,
    variant,
    any_value(columns(* exclude (family, variant, episode_id)))
from stage.selfid_episodes_axes
group by family, variant
