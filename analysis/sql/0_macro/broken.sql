-- grain: one value
-- macro: broken(rules)
-- The invariants, of structs of `invariant` and `broken`, that do not hold.
select list_transform(
    list_filter(rules, lambda rule: rule.broken), lambda rule: rule.invariant
)
