"""metacog's axes and options: what a sweep may vary, and where items come from."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.identity import EpisodeSpec
from mirror_ray.tasks.family import Axis
from mirror_ray.tasks.metacog.conditions import ATTACKS, CHANNELS, PARADIGMS

AXES: Mapping[str, Axis] = MappingProxyType(
    {
        "channel": Axis("wagering", "how confidence is elicited", choices=tuple(CHANNELS)),
        "attack": Axis("none", "exp5: what precedes the question", choices=tuple(ATTACKS)),
        "feedback": Axis("true", "exp4: which feedback is given", choices=("true", "false")),
        "paradigm": Axis("autonomous", "exp9: how the task is set", choices=PARADIGMS),
        "task_set": Axis(
            "fixed",
            "exp9: the same tasks for all, or tailored to the model's strong and weak domains",
            choices=("fixed", "tailored"),
        ),
    }
)


def setting(spec: EpisodeSpec, name: str) -> str:
    """The value of an axis in this episode, its default where the cell is silent."""
    return str(dict(spec.cell.axes).get(name, AXES[name].default))
