-- grain: one value
-- macro: is_priced(cost_usd, failed_attempts, error_kind)
-- Whether a recorded cost is the whole cost of its request. It is not if the cost of an attempt is
-- unknown. The last attempt's cost is unknown if the sum has nothing beyond the failed attempts,
-- unless it was refused before any processing.
select
    cost_usd is not null
    and coalesce(len(list_filter(failed_attempts, lambda one: one.cost_usd is null)), 0) = 0
    and (
        coalesce(list_sum(list_transform(failed_attempts, lambda one: one.cost_usd)), 0) = 0
        or cost_usd > list_sum(list_transform(failed_attempts, lambda one: one.cost_usd))
        or error_kind in ('rate_limit', 'shed', 'auth', 'bad_request', 'budget')
    )
