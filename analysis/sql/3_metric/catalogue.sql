-- grain: one row per family, metric
-- What each metric is: its label, kind (share, count or difference), least and greatest value, the
-- direction that is better (NULL: neither), what blind guessing scores, whether it is a mean of
-- episodes' scores, is compared between models, is shown in the first tables, and needs a mirror.
-- `unit` is the independent unit of evidence.
select
    '{family}' as family,
    {unit} as unit,
    unnest([
        {catalogue}
    ], recursive := true)
