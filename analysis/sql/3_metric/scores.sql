-- grain: one row per episode_id, metric
-- Every family's scores in one long table: what paired comparisons are made of. `kind` is share (0
-- or 1) or count; `direction` is 1 where more is better, -1 where less is, NULL where neither.
-- `cluster` is the independent unit that a score belongs to: a scene, a string, a question, a story
-- (of whatever author: those of one seed are compared). `item` is what the scene holds where that
-- does not follow from its cluster alone: scenes of two conditions, or of two values of an axis,
-- are the same if it is.
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    cluster,
    '' as item,
    episode_id,
    parameters,
    metric,
    if(metric in ('ttd', 'mgd'), 'count', 'share') as kind,
    case
        when metric in ('ttd', 'cr', 'arsc') then -1
        when metric <> 'mgd' then 1
    end as direction,
    score::double as score
from episode.selfid
unpivot include nulls (
    score for metric in (tsa, ttd, mcr, mtato, caal, cr, tsa_c, mgd, arsc, sc, sc_final)
)
union all by name
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    cluster,
    concat_ws(' ', item, hidden::varchar) as item,
    episode_id,
    parameters,
    metric,
    'share' as kind,
    if(metric = 'accuracy', 1, -1) as direction,
    score::double as score
from episode.flipset
unpivot include nulls (
    score for metric in (
        accuracy,
        egocentric,
        confusable,
        random,
        fail,
        egocentric_of_errors,
        confusable_of_errors,
        random_of_errors,
        fail_of_errors
    )
)
union all by name
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    coalesce(seed_text, 'seed ' || scene_seed) as cluster,
    coalesce(seed_text, '') as item,
    episode_id,
    parameters,
    metric,
    'share' as kind,
    1 as direction,
    score::double as score
from episode.textmirror
unpivot include nulls (
    score for metric in (usable, accuracy, accuracy_self, accuracy_cross)
)
union all by name
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    cluster,
    coalesce(item, '') as item,
    episode_id,
    parameters,
    metric,
    'share' as kind,
    if(metric = 'confusion', -1, 1) as direction,
    score::double as score
from episode.mirrorqa
unpivot include nulls (
    score for metric in (accuracy, circular, readable, confusion)
)
union all by name
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    cluster,
    coalesce(item_id, '') as item,
    episode_id,
    parameters,
    metric,
    'share' as kind,
    1 as direction,
    score::double as score
from episode.metacog
unpivot include nulls (
    score for metric in (accuracy, lenient, readable, accuracy_a, accuracy_b)
)
union all by name
select
    family,
    condition,
    model,
    temperature,
    variant,
    scene_seed,
    run,
    cluster,
    '' as item,
    episode_id,
    parameters,
    metric,
    if(metric = 'first_touch', 'count', 'share') as kind,
    case
        when metric = 'passed' then 1
        when metric in ('false_mark', 'false_none') then -1
    end as direction,
    score::double as score
from episode.marktest
unpivot include nulls (
    score for metric in (
        passed,
        saw_mark,
        on_mark,
        on_place,
        on_counterpart,
        on_image,
        on_surface,
        on_other,
        first_touch,
        false_mark,
        false_none,
        social,
        says_self
    )
)
