-- grain: one value
-- macro: model_family(full_name)
-- The family of a model (Qwen, Llama, GPT, …), regardless of provider: the catalogue's, else that
-- of the first pattern in its name; models derived from others come before these. Unknown names get
-- the part before the model's name, or their first word.
select coalesce(
    macro.model(full_name).stated ->> 'family',
    if(starts_with(full_name, 'scripted/'), 'scripted', null),
    list_filter(
        [
            {'pattern': 'minicpm', 'family': 'MiniCPM'},
            {'pattern': 'smolvlm|smollm|smolagent', 'family': 'SmolVLM'},
            {'pattern': 'idefics', 'family': 'Idefics'},
            {'pattern': 'internvl|mono-internvl', 'family': 'InternVL'},
            {'pattern': 'internlm|intern-s1', 'family': 'InternLM'},
            {'pattern': 'video-?llama', 'family': 'VideoLLaMA'},
            {'pattern': 'llava', 'family': 'LLaVA'},
            {'pattern': 'cogvlm|cogagent', 'family': 'CogVLM'},
            {'pattern': 'nemotron|nvlm|cosmos|vila|eagle2', 'family': 'Nemotron'},
            {'pattern': 'molmo', 'family': 'Molmo'},
            {'pattern': 'olmo', 'family': 'OLMo'},
            {'pattern': 'ovis', 'family': 'Ovis'},
            {'pattern': 'deepseek|janus', 'family': 'DeepSeek'},
            {'pattern': 'kimi|moonlight', 'family': 'Kimi'},
            {'pattern': '(^|[^a-z])(chat)?glm|glm-', 'family': 'GLM'},
            {'pattern': 'paligemma', 'family': 'PaliGemma'},
            {'pattern': 'gemma', 'family': 'Gemma'},
            {'pattern': 'gemini', 'family': 'Gemini'},
            {'pattern': 'gpt-oss', 'family': 'gpt-oss'},
            {'pattern': '(^|[^a-z])(chat)?gpt', 'family': 'GPT'},
            {'pattern': '(^|[^a-z0-9])o[134]($|-)', 'family': 'OpenAI o'},
            {'pattern': 'claude', 'family': 'Claude'},
            {'pattern': 'grok', 'family': 'Grok'},
            {'pattern': '(^|[^a-z])phi-?[0-9]', 'family': 'Phi'},
            {'pattern': '(^|[^a-z])nova-', 'family': 'Nova'},
            {'pattern': 'aya-', 'family': 'Aya'},
            {'pattern': '(^|[^a-z])(c4ai-)?command', 'family': 'Command'},
            {'pattern': 'granite', 'family': 'Granite'},
            {'pattern': 'ernie', 'family': 'ERNIE'},
            {'pattern': 'doubao|seed-?[0-9o]', 'family': 'Seed'},
            {'pattern': 'hunyuan', 'family': 'Hunyuan'},
            {'pattern': 'minimax|abab', 'family': 'MiniMax'},
            {'pattern': '(^|[^a-z])step-?[0-9v]', 'family': 'Step'},
            {'pattern': '(^|[^a-z])yi-', 'family': 'Yi'},
            {'pattern': 'jamba', 'family': 'Jamba'},
            {'pattern': 'reka', 'family': 'Reka'},
            {'pattern': 'sonar', 'family': 'Sonar'},
            {'pattern': 'falcon', 'family': 'Falcon'},
            {'pattern': 'florence', 'family': 'Florence'},
            {'pattern': 'blip', 'family': 'BLIP'},
            {'pattern': 'muse-spark', 'family': 'Muse'},
            {
                'pattern': 'pixtral|mistral|mixtral|ministral|magistral|codestral|devstral',
                'family': 'Mistral'
            },
            {'pattern': 'qwen|qwq|qvq', 'family': 'Qwen'},
            {'pattern': 'llama', 'family': 'Llama'}
        ],
        lambda one: regexp_matches(macro.model(full_name).name, one.pattern)
    )[1].family,
    macro.model(full_name).org,
    nullif(regexp_extract(macro.model(full_name).name, '[a-z]+'), ''),
    full_name
)
