-- grain: one value
-- macro: model_released(full_name)
-- The release date of a model, from the catalogue or its name: 2025-09-29, or 2025-07 for names
-- that end in a year and a month (2507). NULL if unknown.
select coalesce(
    macro.catalogue_facts(full_name) ->> 'released',
    strftime(coalesce(
        try_strptime(
            regexp_extract(full_name, '(?:^|[^0-9])(20[0-9]{2}-[0-9]{2}-[0-9]{2})(?:$|[^0-9])', 1),
            '%Y-%m-%d'
        ),
        try_strptime(
            regexp_extract(full_name, '(?:^|[^0-9])(20[0-9]{6})(?:$|[^0-9])', 1), '%Y%m%d'
        )
    ), '%Y-%m-%d'),
    strftime(
        try_strptime(
            regexp_extract(full_name, '[^0-9](2[3-9](?:0[1-9]|1[0-2]))(?:$|[^0-9])', 1), '%y%m'
        ),
        '%Y-%m'
    )
)
