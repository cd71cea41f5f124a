-- grain: one value
-- macro: domain_place(domain)
-- The position of a domain in the list. Of equal accuracies the first counts as lower, in play and
-- in analysis.
select coalesce(list_position(
    [
        'arithmetic',
        'spatial',
        'temporal',
        'linguistic',
        'logical',
        'social',
        'factual',
        'procedural'
    ],
    domain
), 99)
