-- grain: one value
-- macro: policy_of(route)
-- The weak-domain policy of experiment 9: the paper's, or that of variable weak_policy; 'route' is
-- the rule by which C3 advised and C4 routed.
select if(
    getvariable('weak_policy') = 'route',
    if(coalesce(route, 'median') = 'median', 'median_or_bottom_k', route),
    coalesce(getvariable('weak_policy'), 'median_or_bottom_k')
)
