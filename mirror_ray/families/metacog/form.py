"""metacog: written answers, in the lines that a prompt requests."""

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.forms.form import WORDS, Field, Form, as_words
from mirror_ray.forms.of_words import form_of_words


def form(spec: EpisodeSpec, ask: Request) -> Form:
    """Return the form's fields; lettered options are answered in words, as models do."""
    found = form_of_words(ask.user)
    if found.fields:
        return found
    return Form((), (Field(WORDS, "your reply", lines=3),), as_words)
