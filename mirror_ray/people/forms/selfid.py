"""selfid by keys: the prompt's own letters move; texts say who one is and which cube it was."""

from mirror_ray.identity import EpisodeSpec
from mirror_ray.people.forms.form import Choice, Field, Form, as_json
from mirror_ray.people.forms.of_words import form_of_words
from mirror_ray.tasks.selfid.conditions import CONDITIONS
from mirror_ray.tasks.selfid.reply import NOTHING, UNKNOWN
from mirror_ray.types import Request

_MOVES = {"w": "forward", "s": "backward", "a": "turn left", "d": "turn right"}
_OWN = Field("identification", "identification: the color of your own body", UNKNOWN, stays=True)
_CUBE = Field(
    "selected_cube", "selected_cube: the cube that you are done with", NOTHING, stays=True
)
_NOTE = Field("summary", "summary: what your next step will read of this one", stays=True)
_BEGIN, _MIDDLE = ("view-description", "reasoning"), ("action", "summary")


def form(spec: EpisodeSpec, ask: Request) -> Form:
    """The form of a step, of a glance, or of what is asked before and after all steps."""
    condition = CONDITIONS[spec.cell.condition]
    if not ask.system:
        return form_of_words(ask.user)
    if condition.glance:
        return Form((), (_OWN,), as_json((*_BEGIN, "identification")))
    # Only `done` selects: a move with a cube is no valid reply.
    none = {"selected_cube": NOTHING} if condition.cubes else {}
    moves = tuple(Choice(key, what, {"action": key, **none}) for key, what in _MOVES.items())
    cube = (_CUBE,) if condition.cubes else ()
    done = Choice("x", "done", {"action": "done"}, needs=_CUBE.name if cube else "")
    keys = (*_BEGIN, *_MIDDLE, *(one.name for one in cube), "identification")
    return Form((*moves, done), (_OWN, *cube, _NOTE), as_json(keys))
