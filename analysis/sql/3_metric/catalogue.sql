-- grain: one row per family, metric
-- The definition of each metric: label, kind (share, count or difference), lowest and highest
-- value, the better direction (NULL: neither), the score of blind guessing, whether it is a mean of
-- episodes' scores, is compared between models, is shown in the first tables, and needs a mirror.
-- `unit` is the independent unit of evidence.
select
    '{family}' as family,
    {unit} as unit,
    unnest([
        {catalogue}
    ], recursive := true)
