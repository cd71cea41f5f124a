-- grain: one value
-- macro: model(full_name)
-- Parts of a model's name in sweeps and records. `name`: the model's name, in lower case, without
-- its provider. `org`: the part before it, except for mere providers; NULL without. `stated`: what
-- the catalogue states, from the run's manifest (or set variable model_facts = '{"lab/model":
-- {"family": "Name", "size_b": 8, "released": "2026-01", "lab": "Lab"}}'): family, size_b in 10⁹
-- parameters, released and lab, where stated.
select {
    'name': regexp_extract(lower(full_name), '[^/]*$'),
    'org': list_filter(
        string_split(lower(full_name), '/')[:-2],
        lambda part: not list_contains(
            [
                'hosted_vllm', 'vllm', 'groq', 'bedrock', 'converse', 'invoke', 'openrouter',
                'together_ai', 'fireworks_ai', 'accounts', 'fireworks', 'models', 'deepinfra',
                'azure', 'azure_ai', 'gpt5_series', 'o_series', 'vertex_ai', 'ollama',
                'ollama_chat', 'huggingface', 'nvidia_nim', 'sambanova', 'cerebras',
                'dashscope', 'litellm_proxy', 'replicate', 'perplexity', 'novita', 'hyperbolic',
                'nebius', 'lm_studio', 'llamafile', 'watsonx', 'sagemaker', 'sagemaker_chat',
                'databricks', 'github', 'volcengine', 'pro', 'scripted', 'openai_like',
                'custom_openai', 'publishers', 'inference', 'vercel_ai_gateway'
            ],
            part
        )
    )[-1],
    'stated': (getvariable('model_facts')::json::map(varchar, json))[full_name]
}
