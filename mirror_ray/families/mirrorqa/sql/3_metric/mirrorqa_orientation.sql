-- grain: one row per family, condition, model, temperature, variant, orientation
-- Accuracy by subject and side ("MirrorQA": H.left, H.right, A.left, … A.right rear).
with scores as (
    select
        struct_pack(family, condition, model, temperature, variant, orientation, chance) as cell,
        cluster,
        accuracy as score
    from episode.mirrorqa
)

select
    cell.* exclude (chance),
    * exclude (cell, se),
    cell.chance
from macro.clustered_shares(scores)
