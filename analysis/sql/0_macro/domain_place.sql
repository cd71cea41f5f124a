-- grain: one value
-- macro: domain_place(domain)
-- The place of a domain in the order in which they are listed: of equal accuracies the first
-- counts as lower, when a task is played and here.
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
