"""Input tokens of a picture, by each vendor's published formula and the model's name.

Sources: the vendors' vision guides and, for open weights, their image processors. Requests set
``detail: high``. OpenRouter, Bedrock, Vertex and private servers bill by the vendor's formula,
whichever server they are."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, sqrt
from statistics import median_high
from typing import TypeAlias

from mirror_ray.providers.model import Model


@dataclass(frozen=True, slots=True)
class ImageTokens:
    """Tokens of one picture: the expected figure, and the upper bound to reserve."""

    typical: int
    at_most: int


def image_tokens(model: Model, width_px: int, height_px: int) -> ImageTokens:
    """Return the tokens of a picture of this size.

    The catalogue's `Model.tokens_per_image` takes precedence over any formula. A model of an
    unknown vendor gets the median of the known formulas, and the largest as its bound."""
    if model.tokens_per_image is not None:
        return ImageTokens(model.tokens_per_image, model.tokens_per_image)
    return _by_formula(model.target.lower(), width_px, height_px)


Formula: TypeAlias = Callable[[int, int], int]
"""Returns the tokens of a picture, given its width and height in pixels."""


@dataclass(frozen=True, slots=True)
class _Rule:
    names: str
    typical: Formula
    at_most: Formula | None = None


def _fixed(tokens: int) -> Formula:
    return lambda _width, _height: tokens


def _openai_tiles(base: int, each: int) -> Formula:
    """Return a formula: `base`, and `each` per 512-px tile of a picture fitted into 2048×2048 and a
    short side of 768."""

    def tokens(width: int, height: int) -> int:
        scale = min(Fraction(1), Fraction(2048, max(width, height)))
        scale = min(scale, Fraction(768, min(width, height)))
        return base + each * ceil(width * scale / 512) * ceil(height * scale / 512)

    return tokens


def _openai_patches(multiplier: str, most: int = 1536) -> Formula:
    """Return a formula: 32-px patches, scaled down to at most `most`, times the model's
    multiplier."""

    def tokens(width: int, height: int) -> int:
        patches = _grid(width, height, 32)
        if patches > most:
            across, down = width / 32, height / 32
            shrink = sqrt(most / (across * down))
            fits = min(floor(side * shrink) / (side * shrink) for side in (across, down))
            # The longer side is a whole number by construction, except for rounding.
            sides = [ceil(round(side * shrink * fits, 6)) for side in (across, down)]
            patches = min(most, sides[0] * sides[1])
        return ceil(patches * Fraction(multiplier))

    return tokens


def _patches(side_px: int, most: int, *, row_ends: bool = False) -> Formula:
    def tokens(width: int, height: int) -> int:
        rows = ceil(height / side_px) if row_ends else 0
        return min(most, _grid(width, height, side_px) + rows)

    return tokens


def _qwen(side_px: int, most: int) -> Formula:
    """Return a formula: sides rounded to whole patches, 4 to `most` of them, plus two
    delimiters."""

    def tokens(width: int, height: int) -> int:
        across, down = (max(1, round(side / side_px)) for side in (width, height))
        if across * down > most:
            shrink = sqrt(most / (width * height))
            across, down = (max(1, floor(side * shrink)) for side in (width, height))
        return max(4, across * down) + 2

    return tokens


def _gemini_crops(width: int, height: int) -> int:
    if max(width, height) <= 384:
        return 258
    crop_px = min(768, max(256, floor(min(width, height) / 1.5)))
    return 258 * _grid(width, height, crop_px)


def _llama4(width: int, height: int) -> int:
    """Return 144 per 336-px tile on the best-fitting canvas of at most 16, and 144 for the
    whole."""
    canvases = [(w, h) for w in range(1, 17) for h in range(1, 17) if w * h <= 16]
    scales = {(w, h): min(336 * w / width, 336 * h / height) for w, h in canvases}
    enough = [scale for scale in scales.values() if scale >= 1]
    scale = min(enough) if enough else max(scales.values())
    tiles = min(w * h for (w, h), its in scales.items() if its == scale)
    # A single tile is the whole picture; if there are several, each is followed by a separator.
    return 144 + 3 + (145 * tiles if tiles > 1 else 0)


def _grid(width: int, height: int, side_px: int) -> int:
    return ceil(width / side_px) * ceil(height / side_px)


_BILLED_DEARER = _Rule(r"gpt-4o-mini", _openai_tiles(2833, 5667))
"""The one model whose vendor multiplies a picture's tokens, to offset a low price per token."""

_RULES = (
    _BILLED_DEARER,
    _Rule(r"gpt-4\.1-mini", _openai_patches("1.62")),
    _Rule(r"gpt-4\.1-nano", _openai_patches("2.46")),
    _Rule(r"gpt-5(\.1-codex)?-mini", _openai_patches("1.62")),
    _Rule(r"gpt-5-nano", _openai_patches("2.46")),
    _Rule(r"o4-mini|codex-mini", _openai_patches("1.72")),
    _Rule(r"gpt-5\.4-(mini|nano)", _openai_patches("1.2"), _openai_patches("2.46")),
    _Rule(r"gpt-(5\.[2-9]|[6-9])", _openai_patches("1.2", most=10_000)),
    _Rule(r"gpt-5", _openai_tiles(70, 140)),
    _Rule(r"gpt-4[.o-]|chatgpt-4o", _openai_tiles(85, 170)),
    _Rule(r"(^|/)o[13]($|-)", _openai_tiles(75, 150)),
    _Rule(r"claude-(opus-4[-.][7-9]|mythos|[a-z]+-[5-9])", _patches(28, most=4784)),
    _Rule(r"claude", _patches(28, most=1600)),
    _Rule(r"gemini-([3-9]|pro-latest|flash-latest)", _fixed(1120)),
    _Rule(r"gemini", _gemini_crops),
    _Rule(r"gemma-?4", _fixed(280), _fixed(1120)),
    _Rule(r"gemma", _fixed(258)),
    _Rule(r"qwen-?2|qwen-vl|qvq", _qwen(28, most=16_384)),
    _Rule(r"qwen", _qwen(32, most=16_384)),
    _Rule(r"llama-?4", _llama4),
    _Rule(r"llama-?3\.2", lambda w, h: 1601 * min(4, _grid(w, h, 560))),
    _Rule(r"pixtral", _patches(16, most=4160, row_ends=True)),
    _Rule(r"mistral|ministral|magistral", _patches(28, most=3080, row_ends=True)),
    _Rule(r"grok", lambda w, h: 256 * (min(6, _grid(w, h, 448)) + 1)),
    _Rule(r"kimi|glm-\d\.\dv", _patches(28, most=16_384)),
)
"""The first match counts; newer models come before older ones of the same line."""


@lru_cache(maxsize=1024)
def _by_formula(target: str, width_px: int, height_px: int) -> ImageTokens:
    for rule in _RULES:
        if re.search(rule.names, target):
            typical = rule.typical(width_px, height_px)
            at_most = (rule.at_most or rule.typical)(width_px, height_px)
            return ImageTokens(typical, max(typical, at_most))
    known = [rule.typical(width_px, height_px) for rule in _RULES if rule is not _BILLED_DEARER]
    return ImageTokens(median_high(known), max(known))
