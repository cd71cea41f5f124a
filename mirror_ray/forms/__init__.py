"""How each ask is answered by keys: what can be pressed or written, and the reply that this makes.

A module of a family's name has a function ``form(spec, ask) -> Form``. Families without one are
answered by the words of their prompt, or by the schema of their reply.
"""

from importlib import import_module
from importlib.util import find_spec

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.forms.form import Form
from mirror_ray.forms.of_schema import form_of_schema
from mirror_ray.forms.of_words import form_of_words
from mirror_ray.core.types import Request


def form_of(spec: EpisodeSpec, ask: Request) -> Form:
    """How this ask of the episode is answered."""
    place = f"{__name__}.{spec.cell.family}"
    # A family's name is one that this package or an installed plug-in has.
    if find_spec(place) is not None:
        form: Form = import_module(place).form(spec, ask)
        return form
    return form_of_schema(ask) or form_of_words(ask.user)
