"""metacog's axes and options: what a sweep may vary, and where items come from."""

from collections.abc import Mapping

from mirror_ray.contract.family import Axis
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.conditions import ATTACKS, CHANNELS, CONDITIONS, PARADIGMS, ROUTES

IN_TURN, STAIRCASE = "in_turn", "staircase"

AXES: Mapping[str, Axis] = {
    "channel": Axis("wagering", "how confidence is elicited", choices=tuple(CHANNELS)),
    "attack": Axis("none", "exp5: what precedes the question", choices=tuple(ATTACKS)),
    "feedback": Axis("true", "exp4: which feedback is given", choices=("true", "false")),
    "paradigm": Axis("autonomous", "exp9: how the task is set", choices=PARADIGMS),
    "task_set": Axis(
        "fixed",
        "exp9: the same tasks for all, or tailored to the model's strong and weak domains",
        choices=("fixed", "tailored"),
    ),
    "route": Axis(
        "median",
        "exp9: which domains are weak where C3 advises and C4 routes: below the own median, "
        "else the lowest two; below a share right; the lowest",
        choices=ROUTES,
    ),
    "scores": Axis(
        "own",
        "exp9: the scores that a model is told: its own, or false ones, in reverse order",
        choices=("own", "false"),
    ),
    "judged": Axis(
        "all",
        "judge: the experiment whose replies are read",
        choices=("all", *dict.fromkeys(one.experiment for one in CONDITIONS.values()))[:-1],
    ),
    "judged_keys": Axis(
        "free",
        "judge: replies to keys of words and to requests, those to closed keys too, or the "
        "replies to any key that are unread",
        choices=("free", "all", "unread"),
    ),
    "level": Axis(
        IN_TURN,
        "difficulty of generated questions: easy, medium and hard in turn, one level for all, "
        "or the levels at which the model's staircase has it right in 60 %",
        choices=(IN_TURN, STAIRCASE, *map(str, range(1, LEVELS + 1))),
    ),
}


def setting(spec: EpisodeSpec, name: str) -> str:
    """Return the value of an axis in this episode, or its default if the cell does not set it."""
    return str(dict(spec.cell.axes).get(name, AXES[name].default))
