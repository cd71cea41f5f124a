-- grain: one value
-- macro: held_name(family, compared, condition, model, temperature, shared)
-- The name of a contrast, question or curve: what it compares, and everything that is constant.
select
    concat_ws(
        ' · ', family, compared, condition, model, printf('%g', temperature), nullif(shared, '')
    )
