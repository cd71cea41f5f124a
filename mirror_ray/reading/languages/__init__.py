"""The languages in which a family may speak to a model, and how replies in them are read."""

from typing import Literal

from mirror_ray.contract.family import Axis

Language = Literal["en", "de", "es", "zh", "ja"]
"""English, German, Spanish, Chinese (simplified), Japanese: ISO 639-1 codes."""

LANGUAGE = Axis(
    "en",
    "the language of the prompt: keys and actions stay those of the protocol",
    choices=("en", "de", "es", "zh", "ja"),
)
