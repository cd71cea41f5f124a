"""The words by which a reply in another language corrects itself or takes back what it said."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.words import TRANSLATED, words_of
from mirror_ray.reading.object_choice import ENGLISH, Corrections


def _corrections(language: Language) -> Corrections:
    said = words_of(language)["corrections"]
    takes_back = re.compile(said["takes_back"], re.IGNORECASE)
    answers = re.compile(said["answers"], re.IGNORECASE)
    return Corrections(
        corrects=(*ENGLISH.corrects, takes_back, answers),
        takes_back=(*ENGLISH.takes_back, takes_back),
    )


CORRECTIONS: Mapping[Language, Corrections] = MappingProxyType(
    {"en": ENGLISH, **{language: _corrections(language) for language in TRANSLATED}}
)
