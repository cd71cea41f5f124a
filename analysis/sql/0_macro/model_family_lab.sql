-- grain: one value
-- macro: model_family_lab(full_name)
-- The lab of a model, regardless of provider: the catalogue's, else that of its family, else the
-- part before the model's name. NULL if unknown.
select coalesce(
    macro.catalogue_facts(full_name) ->> 'lab',
    (
        select map_from_entries(list((family, lab)))
        from macro.model_families()
    )[macro.model_family(full_name)],
    macro.lab_in_name(full_name)
)
