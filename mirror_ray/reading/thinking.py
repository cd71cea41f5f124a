"""Removes the thinking that models and servers leave in a reply, between tags of chat templates.
One pass over any text."""

import re

_TAG = re.compile(
    r"<(?P<html>/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad"
    r"|analysis|seed:think)[ \t]*>"
    r"|\[(?P<brackets>/?)THINK\]|◁(?P<triangles>/?)think▷"
    r"|<\|channel\|>(?:(?P<channel>final)|analysis|commentary)"
    r"(?:[ ]?<\|constrain\|>[ ]?\w{1,20})?<\|message\|>",
    re.IGNORECASE,
)
"""A tag. If it closes thinking, it has a group that is not empty."""


def without_thinking(text: str) -> str:
    """Return the text outside of thinking tags, otherwise unchanged.

    A whole block is removed. A chat template may swallow the opening tag, so text before a lone
    closing tag is thinking. A reply may end before it closes its tag, so text after a lone opening
    tag is thinking, and only the text before it is kept."""
    return thinking_split(text)[0]


def thinking_split(text: str) -> tuple[str, str | None]:
    """Return the text `without_thinking`, and the text after a lone opening tag, or None without
    one.

    A model may omit the closing tag: the answer may follow the opening one."""
    kept: list[str] = []
    position, inside = 0, False
    for tag in _TAG.finditer(text):
        closes = any(tag.groups())
        if not closes and inside:
            continue
        if closes and not inside:
            kept.clear()
        elif not closes:
            kept.append(text[position : tag.start()])
        position, inside = tag.end(), not closes
    rest = text[position:]
    return ("".join(kept), rest) if inside else ("".join([*kept, rest]), None)
