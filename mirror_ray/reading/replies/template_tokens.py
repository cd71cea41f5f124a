"""Removes what a chat template left at a reply's ends: special tokens and invisible characters.

A server that stops one token late, or a template that opens the turn itself, leaves tokens such as
`<|im_end|>`, `</s>` or `<start_of_turn>model` around the model's text. Nothing within the text is
changed, because it may be about such tokens."""

import re
from unicodedata import category

FIX = "removed template tokens"

_ROLE = r"(?:assistant|user|system|model|human|ai)"
_WORDS = (
    r"bos|eos|pad|unk|sop|eo[adhmpst]|im_(?:start|end)|endoftext|_?end|cls|sep"
    r"|(?:start|begin|end)_of_[a-z_]{1,20}|fim_[a-z]{1,10}|seed:[a-z]{1,10}"
    r"|(?:reserved|special|unused|extra_id)(?:_token)?_?[0-9]{1,5}|0x[0-9a-f]{2}"
)
"""Names of tokens in any brackets, in lower case."""
_SPECIAL = (
    # The tags of thinking are read elsewhere.
    r"<(?!\|?/?(?:channel|message|constrain|think|thinking|thought)\|?>)"
    rf"(?:\|[^|<>\n]{{1,40}}\|?|[a-z_]{{1,40}}\||[/\\]?(?:s|{_WORDS})/?|/{_ROLE}|/bot|\[end\])>"
    rf"|\[(?:{_WORDS}|/?inst|gmask|end of text|\|[a-z_]{{1,40}}\|)\]|<</?sys>>"
)
_OPENED = rf"<\|(?:im_start|start_header_id|turn)\|?>{_ROLE}(?:<\|end_header_id\|>)?"
"""A turn that the server let the model open."""
_LAST = re.compile(rf"(?:{_OPENED}|{_SPECIAL})\Z", re.IGNORECASE)
_FIRST = re.compile(rf"(?:{_SPECIAL})(?:{_ROLE}(?=\s|<|\Z))?", re.IGNORECASE)
_MOST_TOKEN_CHARS = 60
_ASCII = str.maketrans("＜＞｜／［］", "<>|/[]")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\ufffe\uffff")
_END_OF_A_FLAG = range(0xE0020, 0xE0080)


def _is_invisible(sign: str) -> bool:
    is_format = category(sign) in ("Cc", "Cf") and ord(sign) not in _END_OF_A_FLAG
    return is_format or sign in _FILLERS


def without_template_tokens(text: str) -> str:
    """Return the text without special tokens and invisible characters at either end.

    Blank space is removed only along with them. Linear in the length of the text."""
    plain = text.translate(_ASCII)
    start = _start(plain)
    # HTML strikes out text with <s> and </s>, which does not end a turn.
    end = _end(plain, start, is_struck="<s>" in plain[start:])
    return text[start:end]


def _end(text: str, start: int, *, is_struck: bool) -> int:
    end = at = len(text)
    while at > start:
        last = text[at - 1]
        if last.isspace():
            at -= 1
        elif _is_invisible(last):
            at = end = at - 1
        else:
            found = _LAST.search(text[max(start, at - _MOST_TOKEN_CHARS) : at])
            if found is None or (is_struck and found[0] == "</s>"):
                break
            at = end = at - len(found[0])
    return start + len(text[start:end].rstrip()) if end < len(text) else end


def _start(text: str) -> int:
    start = at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif _is_invisible(text[at]):
            at = start = at + 1
        else:
            found = _FIRST.match(text, at)
            if found is None:
                break
            at = start = found.end()
    return start if start == 0 else len(text) - len(text[start:].lstrip())
