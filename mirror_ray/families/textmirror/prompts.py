"""Builds textmirror's prompts from `prompts/`: a user message, no system prompt."""

from collections.abc import Sequence
from string import ascii_uppercase as LETTERS  # noqa: N812

from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.textmirror import conditions as named
from mirror_ray.families.textmirror.sentences import ORDINALS, as_paragraph

TEXTS = default_texts("textmirror")
_AS_PUBLISHED = ("paper", named.UNCHANGED)


def seeds_prompt(texts: Texts = TEXTS) -> str:
    """Return step 0's prompt."""
    return texts("stages.seeds")


def story_prompt(seed: str, n_sentences: int, texts: Texts = TEXTS) -> str:
    """Return step 1's prompt."""
    return texts("stages.story", n=n_sentences, seed=seed)


def revision_prompt(sentences: Sequence[str], position: int, texts: Texts = TEXTS) -> str:
    """Return step 2's prompt. `position` is 1-based."""
    return texts("stages.revision", ordinal=ORDINALS[position - 1], story=as_paragraph(sentences))


def recognition_prompt(variant: str, sentences: Sequence[str], texts: Texts = TEXTS) -> str:
    """Return step 3's prompt, or a variant of it."""
    story = as_paragraph(sentences)
    if variant == named.NUMBERED:
        story = "\n".join(
            texts("variants.sentence", number=number, sentence=sentence)
            for number, sentence in enumerate(sentences, 1)
        ).rstrip()
    key = "stages.recognition" if variant in _AS_PUBLISHED else f"variants.{variant}"
    return texts(key, n=len(sentences), story=story)


def explanation_prompt(
    sentences: Sequence[str], answer: str, reasons: Sequence[str], texts: Texts = TEXTS
) -> str:
    """Return step 4's prompt."""
    story, listed = as_paragraph(sentences), "; ".join(reasons)
    return texts("variants.explanation", story=story, answer=answer, reasons=listed)


def attribution_prompt(sentence: str, offered: Sequence[str], texts: Texts = TEXTS) -> str:
    """Ask which of the named models wrote a sentence."""
    listed = "\n".join(
        f"{letter}: {model}" for letter, model in zip(LETTERS, offered, strict=False)
    )
    return texts("variants.attribution", models=listed, sentence=sentence)


def authorship_prompt(first: str, second: str, texts: Texts = TEXTS) -> str:
    """Return the two-alternative baseline's prompt."""
    return texts("variants.authorship", first=first, second=second)
