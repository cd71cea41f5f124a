-- grain: one row per episode_id, metric
-- Every family's scores in one long table, the basis of paired comparisons. `kind` is share (0 or
-- 1) or count; `direction` is 1 if more is better, -1 if less is, NULL if neither. `cluster` is the
-- independent unit of a score: a scene, a string, a question, a story (of any author: those of one
-- seed are compared). `item` identifies a scene's content if its cluster does not: scenes of two
-- conditions, or of two values of an axis, are the same only if it is equal.
select
    {cell},
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
