-- grain: one value
-- macro: is_for_a_judge(key_kind, all_keys, only_unread, is_unread)
-- Whether a judge's verdict, or its absence, decides an answer. Under matching = 'judge': for a
-- free key, for every key if judges read all, and for a key of unknown kind. If judges read only
-- replies that the rules left unread: only for those.
select
    coalesce(getvariable('matching'), 'grammar') = 'judge'
    and if(
        only_unread,
        is_unread,
        all_keys or coalesce(list_contains(['text', 'open'], key_kind), true)
    )
