-- grain: one value
-- macro: model_size_b(full_name)
-- Total parameters of a model in 10⁹: the catalogue's, else from its name (8b, 235b-a22b, e4b,
-- 256m), else as published, for mixtures whose name states less than the total and for names
-- without a size. NULL if unknown.
select coalesce(
    try_cast(macro.catalogue_facts(full_name) ->> 'size_b' as double),
    list_filter(
        (
            select list(struct_pack(pattern, b) order by place)
            from macro.model_known_sizes()
            where precedence = 'before the name'
        ),
        lambda one: regexp_matches(macro.bare_name(full_name), one.pattern)
    )[1].b,
    try_cast(
        replace(
            regexp_extract(
                macro.bare_name(full_name),
                '(?:^|[^a-z0-9.])e?([0-9]+(?:[.p][0-9]+)?)b(?:$|[^a-z0-9])',
                1
            ),
            'p',
            '.'
        ) as double
    ),
    try_cast(
        regexp_extract(
            macro.bare_name(full_name), '(?:^|[^a-z0-9.])([0-9]+)m(?:$|[^a-z0-9])', 1
        ) as double
    ) / 1000,
    list_filter(
        (
            select list(struct_pack(pattern, b) order by place)
            from macro.model_known_sizes()
            where precedence = 'after the name'
        ),
        lambda one: regexp_matches(macro.bare_name(full_name), one.pattern)
    )[1].b
)
