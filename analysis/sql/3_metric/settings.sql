-- grain: one row per family, variant, axis
-- What a variant label stands for: the value of each axis, defaults too, and as a number if it is.
with labels as (
    select
        family,
        variant,
        any_value(history) as history,
        any_value(coalesce(frames, 1)) as frames,
        any_value(coalesce(mirror_called, 'mirror')) as mirror_called,
        any_value(image_width_px) as width_px,
        any_value(image_height_px) as height_px,
        any_value(fov_deg) as fov_deg,
        any_value(encoding) as encoding,
        any_value(max_steps) as max_steps,
        -- Until the axis was there, the schema went to the models that take one.
        any_value(coalesce(structured, 'schema_where_taken')) as structured,
        any_value(others) as others,
        any_value(coalesce(channel, 'natural')) as channel
    from stage.selfid_episodes
    group by family, variant
),

axis_values as (
    select
        family,
        variant,
        unnest([
            {'axis': 'variant', 'value': split_part(variant, '+', 1)},
            {'axis': 'history', 'value': history::varchar},
            {'axis': 'frames', 'value': frames::varchar},
            {'axis': 'mirror_called', 'value': mirror_called},
            {'axis': 'image', 'value': width_px || 'x' || height_px},
            {'axis': 'fov_deg', 'value': printf('%g', fov_deg)},
            {'axis': 'encoding', 'value': encoding},
            {'axis': 'max_steps', 'value': max_steps::varchar},
            {'axis': 'structured', 'value': structured},
            {'axis': 'channel', 'value': channel},
            {
                'axis': 'others',
                'value': coalesce(
                    others, nullif(regexp_extract(variant, 'others=(\w+)', 1), ''), 'random'
                )
            },
            {
                'axis': 'branch_at',
                'value': coalesce(nullif(regexp_extract(variant, 'branch_at=(\d+)', 1), ''), '0')
            }
        ], recursive := true)
    from labels
),

flipset_labels as (
    select
        family,
        variant,
        any_value(prompting) as prompting,
        any_value(layouts) as layouts,
        any_value(strings) as strings,
        any_value(angle_deg) as angle_deg,
        any_value(image_width_px) as width_px,
        any_value(image_height_px) as height_px,
        any_value(encoding) as encoding,
        any_value(coalesce(channel, 'natural')) as channel
    from stage.flipset_episodes
    group by family, variant
),

textmirror_labels as (
    select
        family,
        variant,
        any_value(n_sentences) as n_sentences,
        if(contains(variant, '+reads=others'), 'others', 'own') as reads,
        coalesce(
            nullif(regexp_extract(variant, 'story_temperature=([0-9.]+)', 1), ''), '-1'
        ) as story_temperature,
        coalesce(
            nullif(regexp_extract(variant, 'revision_temperature=([0-9.]+)', 1), ''), '-1'
        ) as revision_temperature
    from stage.textmirror_episodes
    group by family, variant
),

mirrorqa_labels as (
    select
        family,
        variant,
        any_value(shots) as shots,
        any_value(circular) as circular,
        any_value(text_only) as text_only,
        -- The public pictures have sizes of their own.
        any_value(image_width_px) filter (where split is null) as width_px,
        any_value(image_height_px) filter (where split is null) as height_px,
        any_value(encoding) as encoding,
        any_value(coalesce(channel, 'natural')) as channel
    from stage.mirrorqa_episodes
    group by family, variant
),

marktest_labels as (
    select
        family,
        variant,
        any_value(help) as help,
        any_value(history) as history,
        any_value(max_steps) as max_steps,
        any_value(image_width_px) as width_px,
        any_value(image_height_px) as height_px,
        any_value(encoding) as encoding
    from stage.marktest_episodes
    group by family, variant
),

all_values as (
    select * from axis_values
    union all
    select
        family,
        variant,
        unnest([
            {'axis': 'variant', 'value': split_part(variant, '+', 1)},
            {'axis': 'prompting', 'value': prompting},
            {'axis': 'layouts', 'value': layouts::varchar},
            {'axis': 'strings', 'value': strings},
            {'axis': 'angle_deg', 'value': angle_deg::varchar},
            {'axis': 'image', 'value': width_px || 'x' || height_px},
            {'axis': 'encoding', 'value': encoding},
            {'axis': 'channel', 'value': channel}
        ], recursive := true)
    from flipset_labels
    union all
    select
        family,
        variant,
        unnest([
            {'axis': 'variant', 'value': split_part(variant, '+', 1)},
            {'axis': 'n_sentences', 'value': n_sentences::varchar},
            {'axis': 'reads', 'value': reads},
            {'axis': 'story_temperature', 'value': story_temperature},
            {'axis': 'revision_temperature', 'value': revision_temperature}
        ], recursive := true)
    from textmirror_labels
    union all
    select
        family,
        variant,
        unnest([
            {'axis': 'variant', 'value': split_part(variant, '+', 1)},
            {'axis': 'shots', 'value': shots::varchar},
            {'axis': 'circular', 'value': circular::varchar},
            {'axis': 'text_only', 'value': text_only::varchar},
            {'axis': 'image', 'value': width_px || 'x' || height_px},
            {'axis': 'encoding', 'value': encoding},
            {'axis': 'channel', 'value': channel}
        ], recursive := true)
    from mirrorqa_labels
    union all
    select
        family,
        variant,
        unnest([
            {'axis': 'variant', 'value': split_part(variant, '+', 1)},
            {'axis': 'help', 'value': help},
            {'axis': 'history', 'value': history::varchar},
            {'axis': 'max_steps', 'value': max_steps::varchar},
            {'axis': 'image', 'value': width_px || 'x' || height_px},
            {'axis': 'encoding', 'value': encoding}
        ], recursive := true)
    from marktest_labels
)

select
    family,
    variant,
    axis,
    value,
    case
        when axis = 'image' then split_part(value, 'x', 1)::double
        else try_cast(value as double)
    end as number,
    if(
        axis = 'variant',
        value in ('paper', 'plain'),
        not contains(variant, '+' || axis || '=')
    ) as is_default
from all_values
where value is not null
