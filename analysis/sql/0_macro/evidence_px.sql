-- grain: one value
-- macro: evidence_px(width_px, height_px)
-- Pixels of the ego's own reflection that count as evidence, in a frame of this size. Chosen when
-- reading, not when running: set variable mirror_px_threshold = 200; it is meant for 640×480 and
-- scaled by area, so that it is the same share of any picture.
select coalesce(getvariable('mirror_px_threshold'), 50)::double * width_px * height_px / (640 * 480)
