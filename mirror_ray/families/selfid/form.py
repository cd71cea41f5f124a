"""selfid on the keyboard: a walk, a glance, and the questions before and after all steps."""

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.forms.form import Form, as_json
from mirror_ray.forms.of_walking import BEGIN, OWN, form_of_walking
from mirror_ray.forms.of_words import form_of_words


def form(spec: EpisodeSpec, ask: Request) -> Form:
    """Return the form of a step, of a glance, or of a text reply."""
    condition = CONDITIONS[spec.cell.condition]
    if not ask.system:
        return form_of_words(ask.user)
    if condition.glance:
        return Form((), (OWN,), as_json((*BEGIN, OWN.name)))
    return form_of_walking(cubes=condition.cubes)
