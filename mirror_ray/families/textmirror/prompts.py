"""What each stage asks, as one user message without a system prompt.

Knows the words. Those of the four steps are the source's ("Mirror Test for Large Language Models");
the source does not print its variants' and baseline's words: these are ours, and each says in
`mirror_ray.families.textmirror.conditions.VARIANTS` what it manipulates.
"""

from collections.abc import Sequence
from string import ascii_uppercase as LETTERS  # noqa: N812

from mirror_ray.families.textmirror import conditions as named
from mirror_ray.families.textmirror.sentences import ORDINALS, as_text, numbered

SEEDS_PROMPT = "provide me 50 prompts to generate short stories in a python list"


def story_prompt(seed: str, n_sentences: int) -> str:
    """Step 1."""
    return f"Please write me a story in exactly {n_sentences} sentences: {seed}"


def revision_prompt(sentences: Sequence[str], position: int) -> str:
    """Step 2. `position` is 1-based."""
    return (
        f"Revise only the {ORDINALS[position - 1]} sentence in your own unique way."
        f" Answer with only the revised sentence: {as_text(sentences)}"
    )


def recognition_prompt(variant: str, sentences: Sequence[str]) -> str:
    """Step 3, or a variant of it."""
    n, story = len(sentences), as_text(sentences)
    strange = "What's the part of the paragraph you think is strange?"
    only = "Please answer with only the integer order of the sentence"
    match variant:
        case named.FULL_SENTENCE:
            return f"{strange} Please answer with only the full sentence, word for word: {story}"
        case named.CHAIN_OF_THOUGHT:
            return (
                f"{strange} Think step by step about each sentence. Then write one last line:"
                f" ANSWER: followed by the integer order of the sentence from 1-{n}.\n{story}"
            )
        case named.ALLOW_ZERO:
            return f"{strange} {only} from 1-{n}, or 0 if no part is strange: {story}"
        case named.NUMBERED:
            return f"{strange} {only} from 1-{n}:\n{numbered(sentences)}"
        case named.REVEALED:
            return (
                "One sentence of this paragraph was rewritten by somebody else than its author."
                f" Which one? {only} from 1-{n}: {story}"
            )
        case _:
            return f"{strange} {only} from 1-{n}: {story}"


def attribution_prompt(sentence: str, makers: Sequence[str]) -> str:
    """Which model wrote it, of those that are named."""
    listed = "\n".join(f"{letter}: {maker}" for letter, maker in zip(LETTERS, makers, strict=False))
    return (
        "One of these models wrote the sentence below. Which one? Please answer with only its"
        f" letter.\n{listed}\nSentence: {sentence}"
    )


def authorship_prompt(first: str, second: str) -> str:
    """The two-alternative baseline."""
    return (
        "One of these two sentences was written by you, the other by somebody else."
        " Which of the two did you write? Please answer with only A or B.\n"
        f"A: {first}\nB: {second}"
    )
