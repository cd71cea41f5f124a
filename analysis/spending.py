"""What was paid for replies, and how much of it was lost on failed attempts, on replies that were
requested again, and on replies that could not be read."""

from mirror_ray.analysis.reading import Reading, Row

_SPENDING = """\
with asks as (
{asks}
),

told as (
    select
        *,
        list_transform(failed_attempts, lambda one: one.cost_usd) as before,
        coalesce(list_sum(before), 0) as before_usd,
        error_kind not in ('none', 'parse', 'content_filter', 'refusal', 'context_window')
            as is_failed,
        -- The last attempt of a request that failed is one of them, unless it was never made.
        if(is_failed, greatest(coalesce(attempts, 0), len(before)), coalesce(len(before), 0))
            as n_failed,
        if(is_failed, coalesce(cost_usd, 0), before_usd) as failed_usd,
        if(
            is_failed,
            not macro.is_priced(cost_usd, failed_attempts, error_kind),
            len(before) > list_count(before)
        ) as is_failed_unknown,
        parse_status = 'failed' and not superseded as is_unread
    from asks
)

select
    family,
    model,
    count(*) filter (is_latest) as n_asks,
    count(*) filter (is_latest and not is_priced) as n_unpriced,
    sum(cost_usd) as cost_usd,
    sum(n_failed)::bigint as n_failed,
    -- A sum of which nothing is known is NULL, not 0.
    if(bool_or(is_failed_unknown), nullif(sum(failed_usd), 0), sum(failed_usd)) as failed_usd,
    count(*) filter (superseded) as n_reasked,
    if(n_reasked = 0, 0, sum(cost_usd - before_usd) filter (superseded)) as reasked_usd,
    count(*) filter (is_unread) as n_unread,
    if(n_unread = 0, 0, sum(cost_usd - before_usd) filter (is_unread)) as unread_usd
from told
group by family, model
order by family, model"""

_COLUMNS = (
    "family, model, cost_usd, failed_attempts, error_kind, attempts, superseded, parse_status, "
    "is_latest, is_priced"
)


def spending_sql(run: Reading) -> str | None:
    """Return the query for one row per family and model; None without requests."""
    asks = run.every("stage", "asked", _COLUMNS)
    return _SPENDING.format(asks=asks) if asks else None


def spending(run: Reading) -> list[Row]:
    """Return the rows. Costs are sums of the known ones, with `n_unpriced` next to them; NULL if
    none is known."""
    sql = spending_sql(run)
    return run.rows(sql) if sql else []
