-- grain: one row per episode_id, ask, started_at
-- Everything that was sent, in every take, and therefore paid. Each request appears once, although
-- a later take repeats recorded ones, and with that take's reading. Requests without money left
-- were never sent. If a request was sent again after a failure, the last one `is_latest`;
-- `is_priced` says whether all its costs are fully known, `has_failed` whether one ended in an
-- error.
with
sent as (
    select
        asks.*,
        macro.is_priced(cost_usd, failed_attempts, error_kind) as is_priced,
        error_kind
            not in ('none', 'parse', 'content_filter', 'refusal', 'context_window') as has_failed
    from shard.{family}_steps as asks
    semi join shard.{family}_episodes using (episode_id, take)
    where coalesce(attempts, 1) > 0
),

of_one_take as (
    select
        *,
        true as is_latest
    from sent anti join stage.{family}_again using (episode_id)
),

of_several as (
    from sent semi join stage.{family}_again using (episode_id)
    qualify row_number() over (partition by episode_id, ask, started_at order by take desc) = 1
)

from of_one_take
union all by name
select
    * replace (
        bool_and(is_priced) over (partition by episode_id, ask) as is_priced,
        bool_or(has_failed) over (partition by episode_id, ask) as has_failed
    ),
    row_number() over (
        partition by episode_id, ask order by take desc, started_at desc nulls last
    ) = 1 as is_latest
from of_several
