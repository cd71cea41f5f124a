"""mirrorqa on the keyboard: the letters of the options, which its prompt lists on one line."""

import re

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.forms.form import Form, as_words
from mirror_ray.forms.of_words import choices_of, form_of_words

_LISTED = re.compile(r", Options: (?P<options>[^\n]{1,500})\.\nOutput:$")
_OPTION = re.compile(r"(?P<letter>[A-D])\. (?P<text>[^;]{1,100})(?:; |$)")
_LAST_LINE = "Answer: <letter>. <option>"


def form(spec: EpisodeSpec, ask: Request) -> Form:
    """Return the options of this request, or a text field if more than an option is requested."""
    words = form_of_words(ask.user)
    listed = _LISTED.search(ask.user)
    if listed is None or words.choices or words.texts_alone:
        return words
    options = [(one["letter"], one["text"]) for one in _OPTION.finditer(listed["options"])]
    texts = dict(options)
    prefix = "Answer: " if _LAST_LINE in ask.user else ""
    return Form(
        choices_of(options, lambda letter: f"{prefix}{letter}. {texts[letter]}"), (), as_words
    )
