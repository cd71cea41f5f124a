-- grain: one value
-- macro: claim_color(words)
-- The colour that an identification commits to, on the palette or off it; else NULL.
select nullif(macro.claim(words), 'something else')
