"""What MirrorQA's models read.

Knows words only. The direct prompt and the form of examples are the source's (MirrorQA, prompts
and published code); pictures cannot interrupt a text here, so they follow it, in
the order of the numbers that the slots name [our decision]. The source prints neither its prompt
for chain of thought, of which it names the three stages, nor the one without a picture: both are
[our decision], the direct prompt as little changed as can be.
"""

from collections.abc import Sequence

from mirror_ray.asking.channel import Channel, manner, prediction_prompt
from mirror_ray.families.mirrorqa.item import Item, written

_ROLE = """\
You are currently a senior expert in visual reasoning.
Given {given}, your task is to choose the correct answer.
"""
_DIRECT = (
    "Note that you only need to choose one option from all options without explaining any reason.\n"
)
_THREE_STAGES = """\
Reason in three stages.
Stage 1, role positioning: say whose body the question is about and which way it faces, and put \
yourself in its place.
Stage 2, body part identification: find the body part in question and follow it to the body.
Stage 3, decision: choose one option from all options.
"""
_LAST_LINE = "End with one line of this form: Answer: <letter>. <option>\n"
_ONE_OPTION = "Choose one option from all options.\n"
_EXAMPLES = "Given the following {n} examples to learn the visual reasoning task:\n"
WITH_PICTURE = "an Image, a Question, and Options"
WITHOUT_PICTURE = "a Question and Options"


def prompt(
    item: Item,
    options: Sequence[str],
    examples: Sequence[Item],
    *,
    stages: bool,
    shows: bool,
    channel: Channel = "natural",
) -> str:
    """The user prompt; there is no system prompt.

    Args:
        options: the item's, in the order of this ask.
        examples: solved before the question, their pictures before its own.
        stages: chain of thought in three stages.
        shows: False leaves all pictures out.
        channel: what is staked on the answer, and in which form both are to be written.
    """
    return _put(item, options, examples, _directions(channel, stages=stages), shows=shows)


def forecast_prompt(
    item: Item, options: Sequence[str], examples: Sequence[Item], *, shows: bool
) -> str:
    """The forecast of being right that is asked for before the question."""
    return prediction_prompt(_put(item, options, examples, "", shows=shows))


def _directions(channel: Channel, *, stages: bool) -> str:
    staked = manner(channel, reasons=stages)
    if staked is None:
        return f"{_THREE_STAGES}{_LAST_LINE}" if stages else _DIRECT
    return f"{_THREE_STAGES if stages else _ONE_OPTION}{staked}\n"


def _put(
    item: Item, options: Sequence[str], examples: Sequence[Item], directions: str, *, shows: bool
) -> str:
    parts = [_ROLE.format(given=WITH_PICTURE if shows else WITHOUT_PICTURE), directions]
    if examples:
        parts.append(_EXAMPLES.format(n=len(examples)))
    for number, example in enumerate(examples, start=1):
        answer = written(example.options)[example.options.index(example.answer)]
        asked = _asked(example, example.options, number, shows=shows)
        parts.append(f"Example{number}:\n{asked} {answer}\n")
    parts.append(_asked(item, options, len(examples) + 1, shows=shows))
    return "".join(parts)


def _asked(item: Item, options: Sequence[str], number: int, *, shows: bool) -> str:
    picture = f"Image: [image {number}]\n" if shows else ""
    listed = "; ".join(written(options))
    return f"Input: {picture}Question: {item.question}, Options: {listed}.\nOutput:"
