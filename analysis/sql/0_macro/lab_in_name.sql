-- grain: one value
-- macro: lab_in_name(full_name)
-- The part before a model's name, in lower case, except for mere providers; NULL without.
select list_filter(
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
)[-1]
