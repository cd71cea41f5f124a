-- grain: one value
-- macro: picture_of(variant)
-- What a variant's label says was sent in a picture's place.
select coalesce(nullif(regexp_extract(variant, '[+]picture=([a-z_]+)', 1), ''), 'shown')
