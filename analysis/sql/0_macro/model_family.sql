-- grain: one value
-- macro: model_family(model)
-- Who made a model, by its name: the part before the first slash, and behind a router's or cloud's.
select case
    when split_part(model, '/', 1) in ('gemini', 'vertex_ai') then 'google'
    when
        split_part(model, '/', 1) in ('openrouter', 'together_ai', 'fireworks_ai')
        then split_part(model, '/', 2)
    else split_part(model, '/', 1)
end
