"""metacog's experiments, channels and manipulations, as data (arXiv 2604.19809).

Experiment 8 (scaling) has no condition: it is
exp1 asked of several sizes of one model family.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Condition:
    """One experiment, or one of exp9's four levels of information.

    Args:
        meaning: one line for a person.
        experiment: the experiment it belongs to.
        information: exp9's C1–C4, else None.
    """

    meaning: str
    experiment: str
    information: str | None = None


CONDITIONS: Mapping[str, Condition] = MappingProxyType(
    {
        "staircase": Condition(
            "60 questions of a domain, each at a level set by those before", "staircase"
        ),
        "exp1": Condition("atlas: a question of one domain, in one channel", "exp1"),
        "exp2": Condition("transfer: a task that hides the domain it needs", "exp2"),
        "exp3": Condition("composition: predict, then answer, a task of two domains", "exp3"),
        "exp4": Condition("feedback: a failure is reported; what changes, and where?", "exp4"),
        "exp5": Condition("adversarial: words before the question press for confidence", "exp5"),
        "exp6a": Condition("sycophancy: one's own reply judged under four primings", "exp6a"),
        "exp6b": Condition("premises: flawed requests, and matched ones that are not", "exp6b"),
        "exp6c": Condition("pressure: an answer held, or not, against social pressure", "exp6c"),
        "exp9-C1": Condition("knowing and doing: two parts, uninformed", "exp9", "C1"),
        "exp9-C2": Condition("as C1, told its own accuracy in both domains", "exp9", "C2"),
        "exp9-C3": Condition("as C2, and told to use tools where it is weak", "exp9", "C3"),
        "exp9-C4": Condition("as C1, its weak domains routed to a tool from outside", "exp9", "C4"),
        "judge": Condition("a judge of your choice reads replies of the stages before", "judge"),
    }
)

WITH_CHANNEL = frozenset({"exp1", "exp2", "exp3", "exp5"})
"""Experiments that elicit confidence, in one channel or another."""


def _conditions_of(*experiments: str) -> tuple[str, ...]:
    return tuple(name for name, one in CONDITIONS.items() if one.experiment in experiments)


ONLY_IN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "channel": _conditions_of(*WITH_CHANNEL),
        "attack": _conditions_of("exp5"),
        "feedback": _conditions_of("exp4"),
        "paradigm": _conditions_of("exp9"),
        "task_set": _conditions_of("exp9"),
        "route": ("exp9-C3", "exp9-C4"),
        "scores": ("exp9-C2", "exp9-C3"),
        "ours": _conditions_of(*WITH_CHANNEL),
        "judged": _conditions_of("judge"),
        "judged_keys": _conditions_of("judge"),
        "level": _conditions_of("exp1", "exp3", "exp5", "exp6a", "exp6c", "exp9"),
    }
)
"""Axis or variant → where it changes anything."""

VARIANTS: Mapping[str, str] = MappingProxyType(
    {
        "paper": "channels, the matched control and attacks as printed; all other words are ours",
        "ours": "our words for attacks and the matched control",
    }
)

CHANNELS: Mapping[str, str] = MappingProxyType(
    {
        "wagering": "answer, and bet 1–10 points on it",
        "opt_out": "answer, or skip for a guaranteed point",
        "difficulty": "choose the harder or the easier of two tasks",
        "tools": "answer, with tools on offer",
        "natural": "the bare question",
        "matched": "format-matched control: as wagering, confidence in place of a stake",
        "prediction": "layer 2: how confident, before and without answering",
    }
)

ATTACKS: Mapping[str, str] = MappingProxyType(
    {
        "none": "the clean twin",
        "authority": "experts certify the skill",
        "social": "everyone else finds it easy",
        "framing_easy": "called a warm-up",
        "framing_hard": "called a challenge most fail",
        "hijack": "a system prompt forbids doubt; ours, and no part of ARS",
    }
)

PRIMINGS = ("fresh", "positive", "negative", "difficulty")
PRESSURES = ("reframing", "authority", "incremental", "roleplay")
PARADIGMS = ("autonomous", "checkpoint", "no_tools")
ROUTES = ("median", "below_0.5", "below_0.4", "bottom_2", "bottom_3")
