"""marktest on the keyboard: arrows and two letters move the hand, other keys touch and end."""

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.forms.form import Field, Form, FormChoice, as_json

_KEYS = ("view", "reasoning", "noticed", "action")
_ACTIONS = {
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "ArrowUp": "up",
    "ArrowDown": "down",
    "f": "forward",
    "b": "back",
    "t": "touch",
    "x": "end",
}
_NOTICED = Field("noticed", "noticed: whether anything is unusual, and on whom or what", stays=True)


def form(spec: EpisodeSpec, ask: Request) -> Form:
    """Return the form, which is the same at every step."""
    actions = tuple(FormChoice(key, action, {"action": action}) for key, action in _ACTIONS.items())
    return Form(actions, (_NOTICED,), as_json(_KEYS))
