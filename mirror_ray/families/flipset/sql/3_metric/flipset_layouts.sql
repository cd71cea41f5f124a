-- grain: one row per family, condition, model, temperature, variant, layout, metric
-- By order of the options (C correct, E egocentric, F confusable, R random). layout_number: 1–12
-- for the source's twelve, in alphabetical order; NULL for others. Wilson's interval on the
-- effective number of the `n` strings; failed episodes are left out.
with scores as (
    select
        struct_pack(
            family, condition, model, temperature, variant, layout,
            layout_number := list_position(
                [
                    'CEFR', 'CERF', 'CFER', 'ECFR', 'ECRF', 'EFCR',
                    'EFRC', 'ERCF', 'ERFC', 'FCER', 'FECR', 'FERC'
                ],
                layout
            ),
            metric
        ) as cell,
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
