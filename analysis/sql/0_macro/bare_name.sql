-- grain: one value
-- macro: bare_name(full_name)
-- A model's name in sweeps and records without its provider, in lower case.
select regexp_extract(lower(full_name), '[^/]*$')
