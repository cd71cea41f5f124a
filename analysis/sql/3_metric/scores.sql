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
    {compared_on} as cluster,
    {holds} as item,
    episode_id,
    parameters,
    metric,
    {kind} as kind,
    {direction} as direction,
    score::double as score
from episode.{family}
unpivot include nulls (
    score for metric in (
        {compared}
    )
)
