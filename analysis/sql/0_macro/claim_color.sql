-- grain: one value
-- macro: claim_color(words)
-- The colour that an identification commits to, in the palette or not; else NULL.
select nullif(macro.claim(words), 'something else')
