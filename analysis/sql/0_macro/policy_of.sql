-- grain: one value
-- macro: policy_of(route)
-- The weak-domain policy of experiment 9: the rule by which C3 advised and C4 routed (or set
-- variable weak_policy = 'threshold').
select coalesce(
    getvariable('weak_policy'),
    if(coalesce(route, 'median') = 'median', 'median_or_bottom_k', route)
)
