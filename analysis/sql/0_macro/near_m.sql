-- grain: one value
-- macro: near_m()
-- A cube is near within this distance of its centre, in metres: set variable near_radius_m = 0.8.
select coalesce(getvariable('near_radius_m'), 1.0)::double
