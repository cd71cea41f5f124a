-- grain: one value
-- macro: catalogue_facts(full_name)
-- What the catalogue states of a model, from the run's manifest (or set variable model_facts =
-- '{"lab/model": {"family": "Name", "size_b": 8, "released": "2026-01", "lab": "Lab"}}'): family,
-- size_b in 10⁹ parameters, released and lab, where stated.
select (getvariable('model_facts')::json::map(varchar, json))[full_name]
