-- grain: one value
-- macro: is_for_a_judge(key_kind, all_keys)
-- Whether a judge's verdict, or its absence, decides on an answer: under matching = 'judge', of a
-- free key, of every key where judges were given all, and of one whose kind is unknown.
select
    coalesce(getvariable('matching'), 'strict') = 'judge'
    and (all_keys or coalesce(list_contains(['text', 'open'], key_kind), true))
