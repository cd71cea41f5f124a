"""Finds the part of a reply that answers, where a model then writes both sides of a conversation.

Small and base models answer, and then imagine the next question and an answer to that.
"""

import re

_NEXT_QUESTION = re.compile(
    r"^[^\S\n]{0,4}(?:[*#_]{0,3}(?:q|question|human|user|input|next[ ]question)[ ]?\d{0,3}[*_]{0,3}"
    r"[ ]?[:：]|<\|(?:im_start|start_header_id|user|human|eot_id|endoftext)\|>|\[INST\])",
    re.IGNORECASE | re.MULTILINE,
)


def own_turn(text: str) -> str:
    """Return what precedes the first question that a reply asks itself; all of it without one.

    A reply that begins by repeating the question keeps it.

    Args:
        text: without thinking.
    """
    for question in _NEXT_QUESTION.finditer(text):
        if text[: question.start()].strip():
            return text[: question.start()]
    return text
