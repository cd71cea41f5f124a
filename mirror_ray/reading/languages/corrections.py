"""The words by which a reply in another language corrects itself."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.words import TRANSLATED, words_of
from mirror_ray.reading.object_choice import ENGLISH, Corrections


def _corrections(language: Language) -> Corrections:
    said = words_of(language)["corrections"]
    return (*ENGLISH, *(re.compile(said[of], re.IGNORECASE) for of in ("takes_back", "answers")))


CORRECTIONS: Mapping[Language, Corrections] = MappingProxyType(
    {"en": ENGLISH, **{language: _corrections(language) for language in TRANSLATED}}
)
