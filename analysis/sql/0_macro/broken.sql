-- grain: one value
-- macro: broken(rules)
-- Names of violated invariants, from structs of `invariant` and `broken`.
select list_transform(
    list_filter(rules, lambda rule: rule.broken), lambda rule: rule.invariant
)
