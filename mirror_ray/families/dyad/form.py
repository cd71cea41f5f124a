"""dyad on the keyboard, if no model moves the other body: a walk."""

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.forms.form import Form
from mirror_ray.forms.of_walking import form_of_walking


def form(spec: EpisodeSpec, ask: Request) -> Form:
    """Return the form, which is the same at every step."""
    return form_of_walking(cubes=True)
