"""The prompts of the text mirror's variants, from the authors' repository (MIT).

[Our decision] The slot `{n}` counts a text's sentences where the source writes 1-5; its numbering
of sentences is not adopted.
"""

from pathlib import Path

from mirror_ray.contract.published_texts import python_file

SOURCE = "github.com/shengyu-zhu/mirror_test_llm"
_CONSTANTS = {
    "stages.recognition": "STEP3_INPUT_PROMPT",
    "variants.full_sentence": "STEP3_INPUT_PROMPT_VARIATION1_FULL_SENTENCE",
    "variants.chain_of_thought": "STEP3_INPUT_PROMPT_VARIATION2_COT",
    "variants.allow_zero": "STEP3_INPUT_PROMPT_VARIATION3_ALLOW_0",
    "variants.numbered": "STEP3_INPUT_PROMPT_VARIATION4_NUMBERED_SENTENCES",
    "variants.revealed": "STEP3_INPUT_PROMPT_VARIATION5_REVEALED_RECOGNITION_TASK",
}


def published(checkout: Path) -> dict[str, str]:
    """Return the texts of recognition and its variants by key.

    Raises:
        UnfitError: the checkout has other files.
    """
    file = python_file(checkout, "code/core/process_m2_mark.py")
    texts = {key: file.text(name).replace("1-5", "1-{n}") for key, name in _CONSTANTS.items()}
    return {key: f"{text}: {{story}}" for key, text in texts.items()}
