-- grain: one row per contrast, metric, cluster
-- table macro: twins(scores, settings, replies, across_models, across_conditions)
-- Units that two cells share which differ in one axis; see twin.scores. `across_models`,
-- `across_conditions`: whether these are compared with each other, where a thousand make millions
-- of pairs; otherwise only within each.
with averaged as (
    select
        {cell},
        cluster, item, scene_seed, parameters, metric, kind, direction,
        avg(score) as score
    from query_table(scores)
    where score is not null
    group by all
),

cells as (
    select
        played.*,
        replies.n_replies,
        replies.n_read,
        replies.n_read / replies.n_replies as share_read,
        row_number() over () as cell
    from (
        select distinct
            {cell}
        from averaged
    ) as played
    left join query_table(replies) as replies
        on
            played.family = replies.family
            and played.condition = replies.condition
            and played.model = replies.model
            and played.temperature is not distinct from replies.temperature
            and played.variant = replies.variant
),

-- `place`: two cells with the same place have comparable scores.
places as (
    select
        *,
        row_number() over () as place,
        dense_rank() over (
            order by cluster, metric, kind, direction, parameters
        ) as unit,
        count(*) over (partition by cluster, metric, kind, direction, parameters) as n_of_unit
    from (
        select distinct
            cluster, metric, kind, direction, parameters, item, scene_seed
        from averaged
    )
),

-- Numbers replace cell and place, because millions of rows are joined by them.
scenes as (
    select
        cells.cell, places.place, averaged.metric, averaged.score
    from averaged
    inner join cells
        on
            averaged.family = cells.family
            and averaged.condition = cells.condition
            and averaged.model = cells.model
            and averaged.temperature is not distinct from cells.temperature
            and averaged.variant = cells.variant
    inner join places
        on
            averaged.cluster = places.cluster
            and averaged.metric = places.metric
            and averaged.kind = places.kind
            and averaged.direction is not distinct from places.direction
            and averaged.parameters = places.parameters
            and averaged.item = places.item
            and averaged.scene_seed = places.scene_seed
),

-- Labels that differ in one axis, the default first, else the lower value.
neighbours as (
    select
        base.family,
        base.variant as base_variant,
        next.variant as next_variant,
        any_value(axis) as axis,
        any_value(base.value) as base_value,
        any_value(next.value) as next_value
    from query_table(settings) as base
    inner join query_table(settings) as next using (family, axis)
    where base.value <> next.value
    group by base.family, base.variant, next.variant
    having
        count(*) = 1
        and bool_and(
            (not base.is_default, coalesce(base.number, 0), base.value)
            < (not next.is_default, coalesce(next.number, 0), next.value)
        )
),

changes as (
    select
        base.family,
        'model' as axis,
        base.model as baseline,
        next.model as value,
        base,
        next
    from cells as base
    inner join cells as next
        on
            base.family = next.family
            and base.condition = next.condition
            and base.temperature is not distinct from next.temperature
            and base.variant = next.variant
            and base.model < next.model
    where across_models
    union all
    select
        base.family,
        'condition' as axis,
        base.condition as baseline,
        next.condition as value,
        base,
        next
    from cells as base
    inner join cells as next
        on
            base.family = next.family
            and base.model = next.model
            and base.temperature is not distinct from next.temperature
            and base.variant = next.variant
            and base.condition < next.condition
    where across_conditions
    union all
    select
        base.family,
        'temperature' as axis,
        coalesce(printf('%g', base.temperature), 'default') as baseline,
        printf('%g', next.temperature) as value,
        base,
        next
    from cells as base
    inner join cells as next
        on
            base.family = next.family
            and base.condition = next.condition
            and base.model = next.model
            and base.variant = next.variant
            and coalesce(base.temperature, -1) < next.temperature
    union all
    select
        base.family,
        neighbours.axis,
        neighbours.base_value as baseline,
        neighbours.next_value as value,
        base,
        next
    from cells as base
    inner join cells as next
        on
            base.family = next.family
            and base.condition = next.condition
            and base.model = next.model
            and base.temperature is not distinct from next.temperature
    inner join neighbours
        on
            base.family = neighbours.family
            and base.variant = neighbours.base_variant
            and next.variant = neighbours.next_variant
),

labelled as (
    select
        *,
        row_number() over () as change,
        if(axis = 'condition', null, base.condition) as condition,
        if(axis = 'model', null, base.model) as model,
        if(axis = 'temperature', null, base.temperature) as temperature,
        if(base.variant <> next.variant, null, base.variant) as variant,
        -- The rest of a label if one of its axes differs.
        if(
            base.variant = next.variant,
            base.variant,
            array_to_string(
                list_filter(
                    string_split(base.variant, '+'),
                    lambda part: list_contains(string_split(next.variant, '+'), part)
                ),
                '+'
            )
        ) as shared_label
    from changes
),

named as (
    select
        change,
        base.cell as base_cell,
        next.cell as next_cell,
        macro.held_name(
            family,
            axis || ' ' || baseline || ' → ' || value,
            condition, model, temperature, shared_label
        ) as contrast,
        macro.held_name(
            family, axis, condition, model, temperature, shared_label
        ) as question,
        family, axis, baseline, value, condition, model, temperature, variant,
        if(base.share_read <= next.share_read, base.n_replies, next.n_replies) as n_replies,
        if(base.share_read <= next.share_read, base.n_read, next.n_read) as n_read
    from labelled
),

-- First, because DuckDB would otherwise pair every cell with every other.
baselines as materialized (
    select
        named.change, named.next_cell, scenes.place, scenes.metric, scenes.score
    from named
    inner join scenes on named.base_cell = scenes.cell
),

matched as (
    select
        baselines.change, baselines.place, baselines.metric,
        baselines.score as baseline_score,
        scenes.score
    from baselines
    inner join scenes on baselines.next_cell = scenes.cell and baselines.place = scenes.place
),

-- Most units have one place and need no change.
paired as (
    select
        matched.change, matched.place, matched.metric, matched.baseline_score, matched.score
    from matched
    inner join places on matched.place = places.place and places.n_of_unit = 1
    union all
    select
        matched.change,
        arg_min(matched.place, places.scene_seed) as place,
        matched.metric,
        avg(matched.baseline_score) as baseline_score,
        avg(matched.score) as score
    from matched
    inner join places on matched.place = places.place and places.n_of_unit > 1
    group by matched.change, places.unit, matched.metric
)

select
    named.* exclude (change, base_cell, next_cell),
    paired.metric, places.kind, places.direction, places.parameters, places.cluster,
    places.scene_seed, paired.baseline_score, paired.score,
    paired.score - paired.baseline_score as difference
from paired
inner join named on paired.change = named.change
inner join places on paired.place = places.place
