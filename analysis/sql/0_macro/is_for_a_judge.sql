-- grain: one value
-- macro: is_for_a_judge(key_kind, all_keys, only_unread, is_unread)
-- Whether a judge's verdict, or its absence, decides on an answer: under matching = 'judge', of a
-- free key, of every key where judges were given all, and of one whose kind is unknown; where they
-- were given what the rules left unread, of that alone.
select
    coalesce(getvariable('matching'), 'grammar') = 'judge'
    and if(
        only_unread,
        is_unread,
        all_keys or coalesce(list_contains(['text', 'open'], key_kind), true)
    )
