-- grain: one value
-- macro: model_size_b(full_name)
-- Total parameters of a model in 10⁹: the catalogue's, else from its name (8b, 235b-a22b, e4b,
-- 256m), else as published, for mixtures whose name states less than the total and for names
-- without a size. NULL if unknown.
select coalesce(
    try_cast(macro.model(full_name).stated ->> 'size_b' as double),
    list_filter(
        [
            {'pattern': '8x7b', 'b': 46.7},
            {'pattern': '8x22b', 'b': 141},
            {'pattern': 'llama-?4.*maverick', 'b': 400},
            {'pattern': 'llama-?4.*scout', 'b': 109},
            {'pattern': 'molmoe-?1b', 'b': 7.2},
            {'pattern': 'gpt-oss[-:]120b', 'b': 117},
            {'pattern': 'gpt-oss[-:]20b', 'b': 21}
        ],
        lambda one: regexp_matches(macro.model(full_name).name, one.pattern)
    )[1].b,
    try_cast(
        replace(
            regexp_extract(
                macro.model(full_name).name,
                '(?:^|[^a-z0-9.])e?([0-9]+(?:[.p][0-9]+)?)b(?:$|[^a-z0-9])',
                1
            ),
            'p',
            '.'
        ) as double
    ),
    try_cast(
        regexp_extract(
            macro.model(full_name).name, '(?:^|[^a-z0-9.])([0-9]+)m(?:$|[^a-z0-9])', 1
        ) as double
    ) / 1000,
    list_filter(
        [
            {'pattern': 'deepseek-vl2-tiny', 'b': 3.4},
            {'pattern': 'deepseek-vl2-small', 'b': 16.1},
            {'pattern': 'deepseek-vl2', 'b': 27.5},
            {'pattern': 'deepseek-(v3|v3[._]|r1|chat|reasoner)', 'b': 671},
            {'pattern': 'kimi-vl', 'b': 16.4},
            {'pattern': 'kimi-k2', 'b': 1000},
            {'pattern': 'glm-4[._]5v|glm-4[._]6v$', 'b': 106},
            {'pattern': 'glm-4[._]5-air', 'b': 106},
            {'pattern': 'glm-4[._][567]$', 'b': 355},
            {'pattern': 'phi-4-multimodal', 'b': 5.6},
            {'pattern': 'phi-4-mini', 'b': 3.8},
            {'pattern': 'phi-4', 'b': 14},
            {'pattern': 'phi-3[.]5-vision|phi-3-vision', 'b': 4.2},
            {'pattern': 'phi-3[.]5-moe', 'b': 41.9},
            {'pattern': 'phi-3([.]5)?-mini', 'b': 3.8},
            {'pattern': 'phi-3-small', 'b': 7},
            {'pattern': 'phi-3-medium', 'b': 14},
            {'pattern': 'pixtral-large', 'b': 124},
            {'pattern': 'mistral-large-3|mistral-large-2512', 'b': 675},
            {'pattern': 'mistral-large', 'b': 123},
            {'pattern': 'mistral-small', 'b': 24},
            {'pattern': 'magistral-small', 'b': 24},
            {'pattern': 'mistral-nemo', 'b': 12},
            {'pattern': 'command-a', 'b': 111},
            {'pattern': 'command-r-plus', 'b': 104},
            {'pattern': 'command-r', 'b': 35},
            {'pattern': 'minicpm-v-4$|minicpm-v-4[^._0-9]', 'b': 4.1},
            {'pattern': 'minicpm-(v|o|llama3-v)-?[24]', 'b': 8},
            {'pattern': 'smolvlm2?-(instruct|synthetic|base)', 'b': 2.2},
            {'pattern': 'internvl-chat-v1-5', 'b': 26},
            {'pattern': 'grok-1($|-)', 'b': 314}
        ],
        lambda one: regexp_matches(macro.model(full_name).name, one.pattern)
    )[1].b
)
