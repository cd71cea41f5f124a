-- grain: one row per family, condition, model, temperature, variant, item_class, metric
-- By class of string. Wilson's interval on the effective number of the `n` strings; failed episodes
-- are left out.
with scores as (
    select
        struct_pack(family, condition, model, temperature, variant, item_class, metric) as cell,
        cluster,
        score
    from episode.flipset
    unpivot (
        score for metric in (
            accuracy, egocentric, confusable, random, fail
        )
    )
)

select
    cell.*,
    * exclude (cell)
from macro.clustered_shares(scores)
