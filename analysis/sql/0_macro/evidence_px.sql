-- grain: one value
-- macro: evidence_px(width_px, height_px)
-- Pixels of the agent's own reflection that count as evidence, in a frame of this size. A parameter
-- of the analysis: set variable mirror_px_threshold = 200. It applies to 640×480 and is scaled by
-- area, to the same share of any picture.
select coalesce(getvariable('mirror_px_threshold'), 50)::double * width_px * height_px / (640 * 480)
