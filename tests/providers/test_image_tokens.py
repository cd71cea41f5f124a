"""Tokens of a picture, computed by hand from the makers' published formulas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.providers.image_tokens import image_tokens
from mirror_ray.providers.model import Limits, Model

KNOWN = (
    "openai/gpt-4o",
    "openai/gpt-4.1-mini",
    "openai/gpt-5.1",
    "openai/gpt-5.2",
    "openai/o3",
    "anthropic/claude-sonnet-4-6",
    "gemini/gemini-2.5-pro",
    "gemini/gemini-3-pro-preview",
    "openrouter/google/gemma-4-31b-it:nitro",
    "openrouter/qwen/qwen3.6-plus",
    "openrouter/meta-llama/llama-4-scout",
    "openrouter/mistralai/ministral-14b-2512:nitro",
    "mistral/pixtral-large-latest",
    "xai/grok-4",
    "deepseek/nobody-knows",
)


def model(target: str, **settings: int) -> Model:
    return Model("mine", "hosted", target, Limits("mine"), **settings)


def typical(target: str, width_px: int = 640, height_px: int = 480) -> int:
    return image_tokens(model(target), width_px, height_px).typical


@pytest.mark.parametrize(
    ("target", "tokens"),
    [
        ("openai/gpt-4o", 85 + 2 * 170),  # two tiles of 512
        ("openai/gpt-4.1-2025-04-14", 85 + 2 * 170),
        ("openai/gpt-5", 70 + 2 * 140),
        ("openai/gpt-5.1", 70 + 2 * 140),
        ("openai/o3", 75 + 2 * 150),
        ("openai/gpt-4o-mini", 2833 + 2 * 5667),
        ("openai/gpt-4.1-mini", 486),  # 20 × 15 patches × 1.62
        ("openai/gpt-5-mini", 486),
        ("openai/gpt-5-nano", 738),  # × 2.46
        ("openai/o4-mini", 516),  # × 1.72
        ("openai/gpt-5.2", 360),  # × 1.2
        ("anthropic/claude-sonnet-4-6", 23 * 18),  # 28 px
        ("anthropic/claude-opus-4-8", 23 * 18),
        ("gemini/gemini-2.5-flash", 4 * 258),  # crops of 320 px
        ("gemini/gemini-3-pro-preview", 1120),
        ("openrouter/google/gemma-4-31b-it:nitro", 280),
        ("hosted_vllm/Qwen/Qwen2.5-VL-7B-Instruct", 23 * 17 + 2),  # 22.9 × 17.1
        ("hosted_vllm/Qwen/Qwen3-VL-8B-Instruct", 20 * 15 + 2),
        ("openrouter/qwen/qwen3.6-plus", 20 * 15 + 2),
        ("openrouter/meta-llama/llama-4-maverick", 5 * 144 + 4 + 3),  # 2 × 2 tiles and the whole
        ("openrouter/mistralai/ministral-14b-2512:nitro", 23 * 18 + 18),
        ("mistral/pixtral-12b-2409", 40 * 30 + 30),
        ("xai/grok-4", 256 * (4 + 1)),
    ],
)
def test_a_picture_of_640_by_480(target: str, tokens: int) -> None:
    assert typical(target) == tokens


@pytest.mark.parametrize(
    ("target", "width_px", "height_px", "tokens"),
    [
        ("openai/gpt-4o", 2048, 4096, 1105),  # the maker's own examples: 768 × 1536, six tiles
        ("openai/gpt-4o", 1024, 1024, 765),
        ("openai/gpt-4o", 320, 240, 255),
        ("openai/gpt-5.1", 960, 720, 70 + 4 * 140),
        ("openai/gpt-4.1-mini", 1024, 1024, 1659),  # 1024 × 1.62 = 1658.9
        ("openai/gpt-4.1-mini", 1800, 2400, 2353),  # shrunk to 33 × 44 = 1452 patches
        ("openai/gpt-4.1-mini", 320, 240, 130),  # 10 × 8 × 1.62 = 129.6
        ("anthropic/claude-haiku-4-5", 960, 720, 35 * 26),
        ("anthropic/claude-haiku-4-5", 4000, 3000, 1600),
        ("anthropic/claude-opus-4-7", 4000, 3000, 4784),
        ("gemini/gemini-2.5-flash", 384, 384, 258),
        ("gemini/gemini-2.5-flash", 320, 240, 258),
        ("gemini/gemini-2.5-flash", 960, 540, 6 * 258),  # the maker's own example
        ("gemini/gemini-3-flash-preview", 320, 240, 1120),
        ("hosted_vllm/Qwen/Qwen3-VL-8B-Instruct", 320, 240, 10 * 8 + 2),  # 7.5 rounds to even: 8
        ("hosted_vllm/Qwen/Qwen3-VL-8B-Instruct", 8192, 4096, 181 * 90 + 2),  # √2 times too wide
        ("openrouter/meta-llama/llama-4-scout", 300, 300, 144 + 3),
        ("xai/grok-4", 2000, 2000, 7 * 256),
    ],
)
def test_pictures_of_other_sizes(target: str, width_px: int, height_px: int, tokens: int) -> None:
    assert typical(target, width_px, height_px) == tokens


@pytest.mark.parametrize(
    ("served_as", "made_as"),
    [
        ("openrouter/openai/gpt-4.1-mini", "openai/gpt-4.1-mini"),
        ("azure/gpt-4o-2024-11-20", "openai/gpt-4o"),
        ("openrouter/anthropic/claude-sonnet-4.6", "anthropic/claude-sonnet-4-6"),
        ("bedrock/us.anthropic.claude-sonnet-4-6-v1:0", "anthropic/claude-sonnet-4-6"),
        ("vertex_ai/gemini-2.5-pro", "gemini/gemini-2.5-pro"),
        ("ollama_chat/qwen3-vl:8b", "hosted_vllm/Qwen/Qwen3-VL-8B-Instruct"),
    ],
)
def test_the_maker_counts_not_who_serves(served_as: str, made_as: str) -> None:
    assert typical(served_as, 960, 720) == typical(made_as, 960, 720)


def test_the_catalogue_knows_better_than_any_formula() -> None:
    told = image_tokens(model("openai/gpt-4o", tokens_per_image=77), 640, 480)
    assert (told.typical, told.at_most) == (77, 77)


def test_an_unknown_maker_is_bounded_by_all_known_ones() -> None:
    unknown = image_tokens(model("deepseek/nobody-knows"), 640, 480)
    each = [typical(target) for target in KNOWN[:-1]]
    assert unknown.at_most >= max(each)
    assert min(each) < unknown.typical < max(each)


@given(st.sampled_from(KNOWN), st.integers(1, 4096), st.integers(1, 4096))
def test_any_size_has_tokens_and_a_bound(target: str, width_px: int, height_px: int) -> None:
    told = image_tokens(model(target), width_px, height_px)
    assert 0 < told.typical <= told.at_most < 20_000
