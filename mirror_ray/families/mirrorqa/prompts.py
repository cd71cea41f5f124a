"""Builds MirrorQA's prompts from the texts in `prompts/`.

Pictures follow the text, in the order of the numbers in its slots [our decision]."""

from collections.abc import Sequence

from mirror_ray.asking.channel import Channel, manner, prediction_prompt
from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.mirrorqa.item import Item, written

TEXTS = default_texts("mirrorqa")


def prompt(
    item: Item,
    options: Sequence[str],
    examples: Sequence[Item],
    *,
    stages: bool,
    shows: bool,
    channel: Channel = "natural",
    texts: Texts = TEXTS,
) -> str:
    """Return the user prompt; the system prompt is empty.

    Args:
        options: the item's, in the order of this request.
        examples: solved before the question, their pictures before its own.
        stages: chain of thought in three stages.
        shows: False leaves all pictures out.
        channel: what is staked on the answer, and the form in which both are to be written.
    """
    directions = _directions(channel, texts, stages=stages)
    return _put(item, options, examples, directions, texts, shows=shows)


def forecast_prompt(
    item: Item,
    options: Sequence[str],
    examples: Sequence[Item],
    *,
    shows: bool,
    texts: Texts = TEXTS,
) -> str:
    """Return the request for a forecast of being right, which is sent before the question."""
    return prediction_prompt(_put(item, options, examples, "", texts, shows=shows))


def _directions(channel: Channel, texts: Texts, *, stages: bool) -> str:
    staked = manner(channel, reasons=stages)
    if staked is None:
        if not stages:
            return texts("question.direct")
        return texts("question.stages") + texts("question.last_line")
    return f"{texts('question.stages' if stages else 'question.one_option')}{staked}\n"


def _put(
    item: Item,
    options: Sequence[str],
    examples: Sequence[Item],
    directions: str,
    texts: Texts,
    *,
    shows: bool,
) -> str:
    given = texts("question.with_picture" if shows else "question.without_picture")
    parts = [texts("question.role", given=given), directions]
    if examples:
        parts.append(texts("question.examples", n=len(examples)))
    for number, example in enumerate(examples, start=1):
        answer = written(example.options)[example.options.index(example.answer)]
        asked = _asked(example, example.options, number, texts, shows=shows)
        parts.append(texts("question.example", asked=asked, answer=answer))
    parts.append(_asked(item, options, len(examples) + 1, texts, shows=shows))
    return "".join(parts)


def _asked(item: Item, options: Sequence[str], number: int, texts: Texts, *, shows: bool) -> str:
    return texts(
        "question.asked",
        picture=texts("question.picture", number=number) if shows else "",
        question=item.question,
        options="; ".join(written(options)),
    )
