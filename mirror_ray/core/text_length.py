"""Estimates a text's length in tokens without a tokenizer, as equivalent English characters."""

_FIRST_WIDE = "\u2e80"
"""The first code point of Chinese, Japanese and Korean in Unicode."""
CHARS_PER_WIDE = 4
"""A wide character takes about a token, as four characters of English do."""


def prose_chars(text: str) -> int:
    """Return how many characters of English prose take about as many tokens as the text."""
    if text.isascii():
        return len(text)
    wide = sum(character >= _FIRST_WIDE for character in text)
    return len(text) + (CHARS_PER_WIDE - 1) * wide
