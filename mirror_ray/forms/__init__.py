"""Forms for people: the keys and text fields that answer a request, and the reply that they make.

A family's module `form` has a function ``form(spec, ask) -> Form``. For families without one, the
form is derived from their prompt, or from the schema of their reply."""

from mirror_ray.contract.packages import module_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.forms.form import Form
from mirror_ray.forms.of_schema import form_of_schema
from mirror_ray.forms.of_words import form_of_words


def form_of(spec: EpisodeSpec, ask: Request) -> Form:
    """Return the form that answers this request of the episode."""
    module = module_of(spec.cell.family, "form")
    if module is not None:
        form: Form = module.form(spec, ask)
        return form
    return form_of_schema(ask) or form_of_words(ask.user)
