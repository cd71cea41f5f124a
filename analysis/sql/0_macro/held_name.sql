-- grain: one value
-- macro: held_name(family, compared, condition, model, temperature, shared)
-- What a contrast, question or curve is called: what it compares, and all that it holds.
select
    concat_ws(
        ' · ', family, compared, condition, model, printf('%g', temperature), nullif(shared, '')
    )
