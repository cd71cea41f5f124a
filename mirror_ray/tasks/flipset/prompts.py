"""What FlipSet's models read.

Knows words only. The question of L2 is that of arXiv 2602.15892; how it is framed, and everything
that ToM, MR and L1 say, is [ours], because the source does not print it. No prompt says where the
monkey sits: that is to be seen.
"""

from mirror_ray.tasks.flipset.conditions import Condition
from mirror_ray.tasks.flipset.settings import Prompting, Settings
from mirror_ray.tasks.flipset.trials import LABELS, Trial

SYSTEM = "You will see a picture and a multiple-choice question about it."

_QUESTIONS = {
    "sees": "What does the monkey see on the card?",
    "same": (
        "Compare what the monkey sees on the card with what you see on it. Which statement is true?"
    ),
    "visible": "Can the monkey see what is printed on the card?",
}
_TURNS = {
    180: "turned by 180 degrees",
    90: "turned clockwise by 90 degrees",
    270: "turned anticlockwise by 90 degrees",
}
_TURNED = "Imagine that the card is {turn} where it lies. What do you then see on it?"
_DIRECT = "Reply with the letter of the right option only."
_COT = (
    "Think step by step. Then write the letter of the right option on a last line of its own, "
    "like this:\nAnswer: <letter>"
)


def user_prompt(condition: Condition, settings: Settings, trial: Trial) -> str:
    """The question, its options under their labels, and how to reply."""
    if condition.question == "turned":
        question = _TURNED.format(turn=_TURNS[settings.angle_deg])
    else:
        question = _QUESTIONS[condition.question]
    options = (f"{label}) {text}" for label, text in zip(LABELS, trial.options, strict=False))
    return "\n".join([question, *options, _manner(settings.prompting)])


def max_reply_tokens(prompting: Prompting) -> int:
    """What a reply may take; models that think before they speak need room in either case."""
    return 1024 if prompting == "direct" else 3072


def _manner(prompting: Prompting) -> str:
    return _DIRECT if prompting == "direct" else _COT
