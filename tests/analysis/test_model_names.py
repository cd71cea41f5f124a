"""Families, sizes, labs and dates of models by the names under which they are served."""

from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run

# Name, family, 10⁹ parameters (None: undisclosed), lab.
NAMED: list[tuple[str, str, float | None, str | None]] = [
    ("hosted_vllm/Qwen/Qwen3-VL-8B-Instruct", "Qwen", 8, "Alibaba"),
    ("hosted_vllm/Qwen/Qwen3-VL-235B-A22B-Thinking", "Qwen", 235, "Alibaba"),
    ("hosted_vllm/Qwen/Qwen3-VL-30B-A3B-Instruct-FP8", "Qwen", 30, "Alibaba"),
    ("hosted_vllm/Qwen/Qwen2.5-VL-72B-Instruct-AWQ", "Qwen", 72, "Alibaba"),
    ("hosted_vllm/Qwen/Qwen2-VL-2B-Instruct", "Qwen", 2, "Alibaba"),
    ("hosted_vllm/Qwen/Qwen2.5-0.5B-Instruct", "Qwen", 0.5, "Alibaba"),
    ("hosted_vllm/Qwen/Qwen3-1.7B", "Qwen", 1.7, "Alibaba"),
    ("hosted_vllm/Qwen/QwQ-32B", "Qwen", 32, "Alibaba"),
    ("hosted_vllm/Qwen/QVQ-72B-Preview", "Qwen", 72, "Alibaba"),
    ("openrouter/qwen/qwen3.6-plus", "Qwen", None, "Alibaba"),
    ("openrouter/qwen/qwen2.5-vl-32b-instruct:free", "Qwen", 32, "Alibaba"),
    ("dashscope/qwen-vl-max", "Qwen", None, "Alibaba"),
    ("dashscope/qwen3-omni-flash", "Qwen", None, "Alibaba"),
    ("together_ai/Qwen/Qwen2.5-VL-72B-Instruct", "Qwen", 72, "Alibaba"),
    ("fireworks_ai/accounts/fireworks/models/qwen2p5-vl-32b-instruct", "Qwen", 32, "Alibaba"),
    ("fireworks_ai/accounts/fireworks/models/qwen3-vl-235b-a22b-instruct", "Qwen", 235, "Alibaba"),
    ("groq/qwen/qwen3-32b", "Qwen", 32, "Alibaba"),
    ("ollama_chat/qwen3-vl:8b", "Qwen", 8, "Alibaba"),
    ("ollama/qwen2.5vl:7b", "Qwen", 7, "Alibaba"),
    ("deepinfra/Qwen/Qwen3-VL-235B-A22B-Instruct", "Qwen", 235, "Alibaba"),
    ("bedrock/qwen.qwen3-235b-a22b-2507-v1:0", "Qwen", 235, "Alibaba"),
    ("hosted_vllm/meta-llama/Llama-3.2-11B-Vision-Instruct", "Llama", 11, "Meta"),
    ("together_ai/meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8", "Llama", 400, "Meta"),
    ("groq/meta-llama/llama-4-scout-17b-16e-instruct", "Llama", 109, "Meta"),
    ("groq/llama-3.3-70b-versatile", "Llama", 70, "Meta"),
    ("groq/llama3-8b-8192", "Llama", 8, "Meta"),
    ("bedrock/us.meta.llama3-2-90b-instruct-v1:0", "Llama", 90, "Meta"),
    ("bedrock/us.meta.llama4-maverick-17b-instruct-v1:0", "Llama", 400, "Meta"),
    ("fireworks_ai/accounts/fireworks/models/llama-v3p2-90b-vision-instruct", "Llama", 90, "Meta"),
    ("fireworks_ai/accounts/fireworks/models/llama4-scout-instruct-basic", "Llama", 109, "Meta"),
    ("ollama_chat/llama3.2-vision:11b", "Llama", 11, "Meta"),
    ("openrouter/meta-llama/llama-3.1-405b-instruct", "Llama", 405, "Meta"),
    ("vertex_ai/meta/llama-4-scout-17b-16e-instruct-maas", "Llama", 109, "Meta"),
    ("gemini/gemma-3-27b-it", "Gemma", 27, "Google"),
    ("hosted_vllm/google/gemma-3-4b-it", "Gemma", 4, "Google"),
    ("hosted_vllm/google/gemma-3-270m-it", "Gemma", 0.27, "Google"),
    ("openrouter/google/gemma-3n-e4b-it:free", "Gemma", 4, "Google"),
    ("openrouter/google/gemma-4-31b-it:nitro", "Gemma", 31, "Google"),
    ("openrouter/google/gemma-4-26b-a4b-it:nitro", "Gemma", 26, "Google"),
    ("hosted_vllm/google/medgemma-4b-it", "Gemma", 4, "Google"),
    ("hosted_vllm/google/paligemma2-3b-mix-448", "PaliGemma", 3, "Google"),
    ("gemini/gemini-2.5-pro", "Gemini", None, "Google"),
    ("gemini/gemini-2.5-flash-lite", "Gemini", None, "Google"),
    ("gemini/gemini-3-pro-preview", "Gemini", None, "Google"),
    ("vertex_ai/gemini-2.0-flash-001", "Gemini", None, "Google"),
    ("openrouter/google/gemini-2.5-flash", "Gemini", None, "Google"),
    ("mistral/pixtral-12b-2409", "Mistral", 12, "Mistral AI"),
    ("mistral/pixtral-large-2411", "Mistral", 124, "Mistral AI"),
    ("mistral/mistral-small-2503", "Mistral", 24, "Mistral AI"),
    ("mistral/mistral-medium-latest", "Mistral", None, "Mistral AI"),
    ("mistral/ministral-8b-2410", "Mistral", 8, "Mistral AI"),
    ("mistral/magistral-small-2509", "Mistral", 24, "Mistral AI"),
    ("mistral/open-mistral-nemo", "Mistral", 12, "Mistral AI"),
    ("hosted_vllm/mistralai/Mistral-Small-3.2-24B-Instruct-2506", "Mistral", 24, "Mistral AI"),
    ("hosted_vllm/mistralai/Mixtral-8x7B-Instruct-v0.1", "Mistral", 46.7, "Mistral AI"),
    ("together_ai/mistralai/Mixtral-8x22B-Instruct-v0.1", "Mistral", 141, "Mistral AI"),
    ("bedrock/us.mistral.pixtral-large-2502-v1:0", "Mistral", 124, "Mistral AI"),
    ("openrouter/mistralai/mistral-small-3.1-24b-instruct", "Mistral", 24, "Mistral AI"),
    ("hosted_vllm/OpenGVLab/InternVL3-78B", "InternVL", 78, "OpenGVLab"),
    ("hosted_vllm/OpenGVLab/InternVL3_5-8B", "InternVL", 8, "OpenGVLab"),
    ("hosted_vllm/OpenGVLab/InternVL2_5-38B-MPO", "InternVL", 38, "OpenGVLab"),
    ("hosted_vllm/OpenGVLab/InternVL2-1B", "InternVL", 1, "OpenGVLab"),
    ("hosted_vllm/OpenGVLab/InternVL3_5-241B-A28B", "InternVL", 241, "OpenGVLab"),
    ("openrouter/opengvlab/internvl3-14b", "InternVL", 14, "OpenGVLab"),
    ("hosted_vllm/llava-hf/llava-1.5-7b-hf", "LLaVA", 7, "LLaVA"),
    ("hosted_vllm/llava-hf/llava-v1.6-mistral-7b-hf", "LLaVA", 7, "LLaVA"),
    ("hosted_vllm/llava-hf/llava-onevision-qwen2-0.5b-ov-hf", "LLaVA", 0.5, "LLaVA"),
    ("hosted_vllm/llava-hf/llava-onevision-qwen2-72b-ov-hf", "LLaVA", 72, "LLaVA"),
    ("hosted_vllm/llava-hf/llama3-llava-next-8b-hf", "LLaVA", 8, "LLaVA"),
    ("ollama/llava:34b", "LLaVA", 34, "LLaVA"),
    ("openai/gpt-5.1", "GPT", None, "OpenAI"),
    ("openai/gpt-4o-2024-08-06", "GPT", None, "OpenAI"),
    ("openai/gpt-4.1-mini", "GPT", None, "OpenAI"),
    ("openai/chatgpt-4o-latest", "GPT", None, "OpenAI"),
    ("azure/gpt-4o", "GPT", None, "OpenAI"),
    ("openrouter/openai/gpt-5-mini", "GPT", None, "OpenAI"),
    ("openai/o3", "OpenAI o", None, "OpenAI"),
    ("openai/o4-mini-2025-04-16", "OpenAI o", None, "OpenAI"),
    ("openrouter/openai/o1", "OpenAI o", None, "OpenAI"),
    ("groq/openai/gpt-oss-120b", "gpt-oss", 117, "OpenAI"),
    ("ollama_chat/gpt-oss:20b", "gpt-oss", 21, "OpenAI"),
    ("anthropic/claude-sonnet-4-5-20250929", "Claude", None, "Anthropic"),
    ("anthropic/claude-3-haiku-20240307", "Claude", None, "Anthropic"),
    ("openrouter/anthropic/claude-sonnet-4.6", "Claude", None, "Anthropic"),
    ("bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", "Claude", None, "Anthropic"),
    ("bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0", "Claude", None, "Anthropic"),
    ("vertex_ai/claude-opus-4-1@20250805", "Claude", None, "Anthropic"),
    ("xai/grok-4-0709", "Grok", None, "xAI"),
    ("xai/grok-2-vision-1212", "Grok", None, "xAI"),
    ("openrouter/x-ai/grok-4-fast", "Grok", None, "xAI"),
    ("hosted_vllm/xai-org/grok-1", "Grok", 314, "xAI"),
    ("deepseek/deepseek-chat", "DeepSeek", 671, "DeepSeek"),
    ("deepseek/deepseek-reasoner", "DeepSeek", 671, "DeepSeek"),
    ("together_ai/deepseek-ai/DeepSeek-V3", "DeepSeek", 671, "DeepSeek"),
    ("openrouter/deepseek/deepseek-r1-0528:free", "DeepSeek", 671, "DeepSeek"),
    ("groq/deepseek-r1-distill-llama-70b", "DeepSeek", 70, "DeepSeek"),
    ("hosted_vllm/deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B", "DeepSeek", 1.5, "DeepSeek"),
    ("hosted_vllm/deepseek-ai/deepseek-vl2-tiny", "DeepSeek", 3.4, "DeepSeek"),
    ("hosted_vllm/deepseek-ai/deepseek-vl-7b-chat", "DeepSeek", 7, "DeepSeek"),
    ("hosted_vllm/deepseek-ai/Janus-Pro-7B", "DeepSeek", 7, "DeepSeek"),
    ("hosted_vllm/microsoft/Phi-3.5-vision-instruct", "Phi", 4.2, "Microsoft"),
    ("hosted_vllm/microsoft/Phi-4-multimodal-instruct", "Phi", 5.6, "Microsoft"),
    ("hosted_vllm/microsoft/Phi-3-mini-4k-instruct", "Phi", 3.8, "Microsoft"),
    ("azure_ai/Phi-4", "Phi", 14, "Microsoft"),
    ("ollama/phi4:14b", "Phi", 14, "Microsoft"),
    ("hosted_vllm/allenai/Molmo-7B-D-0924", "Molmo", 7, "Ai2"),
    ("hosted_vllm/allenai/Molmo-72B-0924", "Molmo", 72, "Ai2"),
    ("hosted_vllm/allenai/MolmoE-1B-0924", "Molmo", 7.2, "Ai2"),
    ("moonshot/kimi-k2-0905-preview", "Kimi", 1000, "Moonshot AI"),
    ("hosted_vllm/moonshotai/Kimi-VL-A3B-Instruct", "Kimi", 16.4, "Moonshot AI"),
    ("groq/moonshotai/kimi-k2-instruct", "Kimi", 1000, "Moonshot AI"),
    ("openrouter/z-ai/glm-4.5v", "GLM", 106, "Zhipu AI"),
    ("openrouter/z-ai/glm-4.6", "GLM", 355, "Zhipu AI"),
    ("openrouter/z-ai/glm-4.5-air:free", "GLM", 106, "Zhipu AI"),
    ("hosted_vllm/zai-org/GLM-4.1V-9B-Thinking", "GLM", 9, "Zhipu AI"),
    ("hosted_vllm/THUDM/glm-4v-9b", "GLM", 9, "Zhipu AI"),
    ("hosted_vllm/THUDM/cogvlm2-llama3-chat-19B", "CogVLM", 19, "Zhipu AI"),
    ("bedrock/us.amazon.nova-pro-v1:0", "Nova", None, "Amazon"),
    ("bedrock/amazon.nova-lite-v1:0", "Nova", None, "Amazon"),
    ("openrouter/amazon/nova-premier-v1", "Nova", None, "Amazon"),
    ("openrouter/cohere/command-a", "Command", 111, "Cohere"),
    ("bedrock/cohere.command-r-plus-v1:0", "Command", 104, "Cohere"),
    ("openrouter/cohere/command-r-08-2024", "Command", 35, "Cohere"),
    ("hosted_vllm/CohereLabs/aya-vision-32b", "Aya", 32, "Cohere"),
    ("hosted_vllm/openbmb/MiniCPM-V-2_6", "MiniCPM", 8, "OpenBMB"),
    ("hosted_vllm/openbmb/MiniCPM-Llama3-V-2_5", "MiniCPM", 8, "OpenBMB"),
    ("hosted_vllm/openbmb/MiniCPM-o-2_6", "MiniCPM", 8, "OpenBMB"),
    ("hosted_vllm/openbmb/MiniCPM-V-4", "MiniCPM", 4.1, "OpenBMB"),
    ("hosted_vllm/openbmb/MiniCPM-V-4_5", "MiniCPM", 8, "OpenBMB"),
    ("hosted_vllm/HuggingFaceTB/SmolVLM-256M-Instruct", "SmolVLM", 0.256, "Hugging Face"),
    ("hosted_vllm/HuggingFaceTB/SmolVLM-500M-Instruct", "SmolVLM", 0.5, "Hugging Face"),
    ("hosted_vllm/HuggingFaceTB/SmolVLM-Instruct", "SmolVLM", 2.2, "Hugging Face"),
    ("hosted_vllm/HuggingFaceTB/SmolVLM2-2.2B-Instruct", "SmolVLM", 2.2, "Hugging Face"),
    ("hosted_vllm/HuggingFaceM4/Idefics3-8B-Llama3", "Idefics", 8, "Hugging Face"),
    ("hosted_vllm/HuggingFaceM4/idefics2-8b", "Idefics", 8, "Hugging Face"),
    ("hosted_vllm/HuggingFaceM4/idefics-80b-instruct", "Idefics", 80, "Hugging Face"),
    ("hosted_vllm/nvidia/Llama-3.1-Nemotron-Nano-VL-8B-V1", "Nemotron", 8, "NVIDIA"),
    ("hosted_vllm/AIDC-AI/Ovis2-16B", "Ovis", 16, "Alibaba"),
    ("hosted_vllm/ibm-granite/granite-vision-3.3-2b", "Granite", 2, "IBM"),
    ("openrouter/baidu/ernie-4.5-vl-28b-a3b", "ERNIE", 28, "Baidu"),
    ("openrouter/minimax/minimax-01", "MiniMax", None, "MiniMax"),
    ("openrouter/rekaai/reka-flash-3", "Reka", None, "Reka"),
    # Nobody knows these: the part before the name, else its first word.
    ("openrouter/house/thinker-7b", "house", 7, "house"),
    ("hosted_vllm/observer", "observer", None, None),
    ("scripted/rotator", "scripted", None, None),
    ("lab/a", "lab", None, "lab"),
]
DATED = [
    ("anthropic/claude-sonnet-4-5-20250929", "2025-09-29"),
    ("openai/gpt-4o-2024-08-06", "2024-08-06"),
    ("vertex_ai/claude-opus-4-1@20250805", "2025-08-05"),
    ("mistral/pixtral-large-2411", "2024-11"),
    ("hosted_vllm/Qwen/Qwen3-235B-A22B-Instruct-2507", "2025-07"),
    # A month and a day without a year say too little.
    ("xai/grok-4-0709", None),
    ("openai/gpt-5.1", None),
    ("openai/model-20259999", None),
]


def facts(run: Any, names: list[str]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = run.execute(
        "select macro.model_family(name), macro.model_size_b(name), macro.model_family_lab(name), "
        "macro.model_released(name) from (select unnest($1) as name)",
        [names],
    ).fetchall()
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with open_run(str(tmp_path_factory.mktemp("empty"))) as connection:
        yield connection


def test_there_are_enough_of_them() -> None:
    assert len({name for name, *_ in NAMED}) == len(NAMED) >= 120


def test_a_name_says_what_the_model_is(run: Any) -> None:
    said = facts(run, [name for name, *_ in NAMED])
    for (name, family, size_b, lab), found in zip(NAMED, said, strict=True):
        expected = (family, pytest.approx(size_b) if size_b else None, lab)
        assert found[:3] == expected, name


@pytest.mark.parametrize(("name", "released"), DATED)
def test_a_name_may_say_when_it_came_out(run: Any, name: str, released: str | None) -> None:
    assert facts(run, [name])[0][3] == released


def test_what_is_stated_counts_before_the_name(tmp_path: Path) -> None:
    stated = '{"openai/gpt-5.1": {"size_b": 300, "family": "Own", "released": "2025-11-13"}}'
    with open_run(str(tmp_path), variables={"model_facts": stated}) as connection:
        assert facts(connection, ["openai/gpt-5.1"])[0] == ("Own", 300, "openai", "2025-11-13")
        assert facts(connection, ["openai/gpt-4.1"])[0][0] == "GPT"
