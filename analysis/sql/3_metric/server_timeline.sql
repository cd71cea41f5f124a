-- grain: one row per model, server, host, began_at
-- Which of the run's own model servers used which resources of which host, and when, over all
-- starts of the run. `server` numbers a model's servers from 1, times are UTC, `holds` maps
-- resources to amounts, `starts` counts starts of its engine there. A server that was still active
-- when the manifest was written has no `ended_at`, and held_s is a lower bound. Unknown values are
-- NULL.
with said as (
    select unnest(try_cast(getvariable('server_timeline') as json[])) as line
)

select
    line ->> 'model' as model,
    try_cast(line ->> 'replica' as integer) + 1 as server,
    line ->> 'host' as host,
    try_cast(line -> 'holds' as map(varchar, double)) as holds,
    try_cast(line ->> 'began_at' as timestamp) as began_at,
    try_cast(line ->> 'ready_at' as timestamp) as ready_at,
    try_cast(line ->> 'ended_at' as timestamp) as ended_at,
    try_cast(line ->> 'held_s' as double) as held_s,
    try_cast(line ->> 'starts' as integer) as starts,
    line ->> 'why_ended' as why_ended
from said
