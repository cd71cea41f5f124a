-- grain: one value
-- macro: mirror_name(model)
-- A model as arXiv 2604.19809 names it: without its provider, its route and the suffix for
-- instruction tuning.
select case
    when regexp_matches(lower(model), 'deepseek/deepseek-chat') then 'deepseek-v3'
    else regexp_replace(
        regexp_replace(lower(parse_filename(model)), ':.*$', ''),
        '(-a3b)?(-instruct|-it|-chat)$',
        ''
    )
end
