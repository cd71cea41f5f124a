-- grain: one row per contrast, metric, cluster
-- One unit met by two cells that differ in one thing, `axis`: the condition, the model, the
-- temperature, the variant, or an axis of its label. `baseline` and `value` are that thing's two
-- values; of condition, model, temperature and variant the column that differs is NULL. `question`
-- is the contrast without the two values. Scores are means over a cell's episodes of the unit
-- (`cluster` of metric.scores): first over repetitions of one scene seed, then over the seeds of
-- which both cells have a score. Seeds that hold something else (`item`) are left out. difference =
-- score - baseline_score; `scene_seed` is the least of the unit's.
with averaged as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        cluster,
        item,
        scene_seed,
        parameters,
        metric,
        kind,
        direction,
        avg(score) as score
    from metric.scores
    where score is not null
    group by all
),

cells as (
    select
        *,
        row_number() over () as cell
    from (
        select distinct
            family,
            condition,
            model,
            temperature,
            variant
        from averaged
    )
),

-- A number stands for the cell: millions of rows are joined by it.
scenes as (
    select
        cells.cell,
        averaged.cluster,
        averaged.item,
        averaged.scene_seed,
        averaged.parameters,
        averaged.metric,
        averaged.kind,
        averaged.direction,
        averaged.score
    from averaged
    inner join cells
        on
            averaged.family = cells.family
            and averaged.condition = cells.condition
            and averaged.model = cells.model
            and averaged.temperature is not distinct from cells.temperature
            and averaged.variant = cells.variant
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
    from metric.settings as base
    inner join metric.settings as next using (family, axis)
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

named as (
    select
        *,
        row_number() over () as change,
        if(axis = 'condition', null, base.condition) as condition,
        if(axis = 'model', null, base.model) as model,
        if(axis = 'temperature', null, base.temperature) as temperature,
        if(base.variant <> next.variant, null, base.variant) as variant,
        -- What stays the same of a label, where one of its axes differs.
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

paired as (
    select
        named.change,
        base_scenes.metric,
        base_scenes.kind,
        base_scenes.direction,
        base_scenes.parameters,
        base_scenes.cluster,
        min(base_scenes.scene_seed) as scene_seed,
        avg(base_scenes.score) as baseline_score,
        avg(next_scenes.score) as score
    from named
    inner join scenes as base_scenes on named.base.cell = base_scenes.cell
    inner join scenes as next_scenes
        on
            named.next.cell = next_scenes.cell
            and base_scenes.cluster = next_scenes.cluster
            and base_scenes.item = next_scenes.item
            and base_scenes.scene_seed = next_scenes.scene_seed
            and base_scenes.metric = next_scenes.metric
            and base_scenes.parameters = next_scenes.parameters
    group by all
)

select
    concat_ws(
        ' · ',
        named.family,
        named.axis || ' ' || named.baseline || ' → ' || named.value,
        named.condition,
        named.model,
        printf('%g', named.temperature),
        nullif(named.shared_label, '')
    ) as contrast,
    concat_ws(
        ' · ',
        named.family,
        named.axis,
        named.condition,
        named.model,
        printf('%g', named.temperature),
        nullif(named.shared_label, '')
    ) as question,
    named.family,
    named.axis,
    named.baseline,
    named.value,
    named.condition,
    named.model,
    named.temperature,
    named.variant,
    paired.metric,
    paired.kind,
    paired.direction,
    paired.parameters,
    paired.cluster,
    paired.scene_seed,
    paired.baseline_score,
    paired.score,
    paired.score - paired.baseline_score as difference
from paired
inner join named on paired.change = named.change
