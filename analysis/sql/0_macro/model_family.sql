-- grain: one value
-- macro: model_family(full_name)
-- The family of a model (Qwen, Llama, GPT, …), regardless of provider: the catalogue's, else that
-- of the first pattern in its name; models derived from others come before these. Unknown names get
-- the part before the model's name, or their first word.
select coalesce(
    macro.catalogue_facts(full_name) ->> 'family',
    if(starts_with(full_name, 'scripted/'), 'scripted', null),
    list_filter(
        (select list(struct_pack(pattern, family) order by place) from macro.model_families()),
        lambda one: regexp_matches(macro.bare_name(full_name), one.pattern)
    )[1].family,
    macro.lab_in_name(full_name),
    nullif(regexp_extract(macro.bare_name(full_name), '[a-z]+'), ''),
    full_name
)
