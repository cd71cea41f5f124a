"""Walking with the keyboard: the prompt's letters move; colour and cube have text fields."""

from mirror_ray.forms.form import Field, Form, FormChoice, as_json
from mirror_ray.reading.walking.coercion import NOTHING

_MOVES = {"w": "forward", "s": "backward", "a": "turn left", "d": "turn right"}
_CUBE = Field(
    "selected_cube", "selected_cube: the cube that you are done with", NOTHING, stays=True
)
_NOTE = Field("summary", "summary: what your next step will read of this one", stays=True)
OWN = Field("identification", "identification: the color of your own body", "unknown", stays=True)
BEGIN = ("view-description", "reasoning")


def form_of_walking(*, cubes: bool) -> Form:
    """Return the form of a step. `cubes` says whether `done` names one."""
    # Only `done` selects: a move with a cube is not a valid reply.
    none = {_CUBE.name: NOTHING} if cubes else {}
    moves = tuple(FormChoice(key, what, {"action": key, **none}) for key, what in _MOVES.items())
    cube = (_CUBE,) if cubes else ()
    done = FormChoice("x", "done", {"action": "done"}, needs=_CUBE.name if cubes else "")
    keys = (*BEGIN, "action", "summary", *(one.name for one in cube), OWN.name)
    return Form((*moves, done), (OWN, *cube, _NOTE), as_json(keys))
