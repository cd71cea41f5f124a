"""A reply without what a chat template left at its ends: special tokens and invisible characters.

A server that stops one token late, or a template that opens the turn itself, leaves `<|im_end|>`,
`</s>`, `<start_of_turn>model` and their like around what the model said. Within the text nothing is
touched: it may be about them.
"""

import re

FIX = "removed template tokens"

_ROLE = r"(?:assistant|user|system|model|human|ai)"
_SPECIAL = (
    # The tags of thinking are read elsewhere.
    r"<\|(?!/?(?:channel|message|constrain|think|thinking|thought)\|)[A-Za-z0-9_. /-]{1,40}\|>"
    r"|<｜[^｜<>\n]{1,40}｜>"
    r"|</?s>|<(?:bos|eos|pad|unk)>|<(?:start|end)_of_turn>|<end_of_(?:utterance|text|sequence)>"
    r"|<im_(?:start|end)>|\[/?INST\]|<</?SYS>>|\[(?:BOS|EOS|EOT|PAD|SEP|CLS)\]|<E(?:OD|OT|OS)>"
)
_OPENED = rf"<\|(?:im_start|start_header_id)\|>{_ROLE}(?:<\|end_header_id\|>)?"
"""A turn that the server let the model open."""
_LAST = re.compile(rf"(?:{_OPENED}|{_SPECIAL})\Z")
_FIRST = re.compile(rf"(?:{_SPECIAL})(?:{_ROLE}(?=\s|<|\Z))?")
_MOST_TOKEN_CHARS = 60
_INVISIBLE = frozenset("\ufeff\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064")


def without_template_tokens(text: str) -> str:
    """The text without special tokens and invisible characters at either end.

    Blank space is removed along with them only. Linear in the length of what is removed.
    """
    start = _start(text)
    # HTML strikes out with <s> and </s>, which does not end a turn.
    end = _end(text, start, is_struck="<s>" in text[start:])
    return text[start:end]


def _end(text: str, start: int, *, is_struck: bool) -> int:
    end = at = len(text)
    while at > start:
        last = text[at - 1]
        if last in _INVISIBLE:
            at = end = at - 1
        elif last.isspace():
            at -= 1
        else:
            found = _LAST.search(text[max(start, at - _MOST_TOKEN_CHARS) : at])
            if found is None or (is_struck and found[0] == "</s>"):
                break
            at = end = at - len(found[0])
    return start + len(text[start:end].rstrip()) if end < len(text) else end


def _start(text: str) -> int:
    start = at = 0
    while at < len(text):
        if text[at] in _INVISIBLE:
            at = start = at + 1
        elif text[at].isspace():
            at += 1
        else:
            found = _FIRST.match(text, at)
            if found is None:
                break
            at = start = found.end()
    return start if start == 0 else len(text) - len(text[start:].lstrip())
