-- grain: one value
-- macro: picture_of(variant)
-- What replaced the picture, according to a variant's label.
select coalesce(nullif(regexp_extract(variant, '[+]picture=([a-z_]+)', 1), ''), 'shown')
