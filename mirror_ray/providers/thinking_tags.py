"""The tags by which models and servers set their thinking off from their reply.

Knows the tags of chat templates; what is kept of a text is its reader's business.
"""

import re

TAG = re.compile(
    r"<(?P<html>/?)(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad"
    r"|analysis|seed:think)[ \t]*>"
    r"|\[(?P<brackets>/?)THINK\]|◁(?P<triangles>/?)think▷"
    r"|<\|channel\|>(?:(?P<channel>final)|analysis|commentary)"
    r"(?:[ ]?<\|constrain\|>[ ]?\w{1,20})?<\|message\|>",
    re.IGNORECASE,
)
"""A tag; what closes thinking has a group that is not empty."""


def closes(tag: re.Match[str]) -> bool:
    """Whether a tag ends thinking rather than begins it."""
    return any(tag.groups())
