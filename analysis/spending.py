"""What was paid for replies, and what of it bought no reading: attempts that failed, replies that
were asked for again, replies that could not be read."""

from mirror_ray.analysis.reading import Reading, Row

_SPENDING = """\
with asks as (
{asks}
),

latest as (
    select episode_id, max(take) as take from asks group by episode_id
),

-- An episode that was played again has its recorded asks in every take, and those that failed for
-- good in the take that they ended.
once as (
    select
        asks.*,
        coalesce(
            list_sum(list_transform(failed_attempts, lambda one: one.cost_usd)), 0
        ) as before_usd,
        error_kind is not null
            and error_kind not in ('none', 'parse', 'content_filter', 'refusal', 'context_window')
            as is_failed
    from asks join latest using (episode_id)
    where asks.take = latest.take or is_failed
)

select
    family,
    model,
    count(*) as n_asks,
    count(*) filter (not macro.is_priced(cost_usd, failed_attempts, error_kind)) as n_unpriced,
    sum(cost_usd) as cost_usd,
    sum(coalesce(len(failed_attempts), 0) + (is_failed and coalesce(attempts, 0) > 0)::int)::bigint
        as n_failed,
    sum(if(is_failed, coalesce(cost_usd, 0), before_usd)) as failed_usd,
    count(*) filter (superseded) as n_reasked,
    coalesce(sum(cost_usd - before_usd) filter (superseded), 0) as reasked_usd,
    count(*) filter (parse_status = 'failed' and not superseded) as n_unread,
    coalesce(
        sum(cost_usd - before_usd) filter (parse_status = 'failed' and not superseded), 0
    ) as unread_usd
from once
group by family, model
order by family, model"""

_COLUMNS = (
    "family, model, episode_id, ask, take, started_at, cost_usd, failed_attempts, error_kind, "
    "attempts, superseded, parse_status"
)


def spending_sql(run: Reading) -> str | None:
    """The query: a row per family and model; None without asks."""
    asks = run.every("shard", "steps", _COLUMNS)
    return _SPENDING.format(asks=asks) if asks else None


def spending(run: Reading) -> list[Row]:
    """Its rows; known costs alone, beside `n_unpriced`."""
    sql = spending_sql(run)
    return run.rows(sql) if sql else []
