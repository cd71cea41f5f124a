"""An error's words without the names of the layers that passed it on."""

import re

_MOST_LAYERS = 8
_INNER = re.compile(r" at 0x[0-9a-fA-F]{1,16}| ssl:(?:default|True|False|<[^<>]{1,80}>)(?= \[)")
"""Addresses in memory, and what a client was told of certificates, which is its default."""
_MARKS = (": ", " - ")


def error_words(name: str, said: str, status: int | None = None) -> str:
    """Return ``RateLimitError: slow down`` for litellm's ``litellm.RateLimitError: RateLimitError:
    OpenAIException - slow down``.

    Args:
        name: the outermost exception's.
        said: its text.
        status: of the server's response, which identifies a failure without any message.
    """
    for _ in range(_MOST_LAYERS):
        ends = [(said.find(mark), mark) for mark in _MARKS if mark in said[:200]]
        if not ends:
            break
        end, mark = min(ends)
        if not _is_layer(said[:end]):
            break
        said = said[end + len(mark) :]
    title = f"HTTP {status}" if status and name == "HttpError" else name
    return f"{title}: {_INNER.sub('', said)}"


def _is_layer(words: str) -> bool:
    name = words.strip().removeprefix("litellm.")
    return name.isidentifier() and name.endswith(("Error", "Exception"))
