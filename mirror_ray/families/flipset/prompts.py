"""What FlipSet's models read.

Knows words only. `paper` is the prompt that arXiv 2602.15892 prints in its appendix for L2: no
system prompt, the question, the letters to choose from, and the options, "A. 18", a line each. Its
words for ToM, MR and chain of thought are not printed, L1 is not in it: these are [ours], in the
same form. `framed` is [ours] throughout. No prompt says where the monkey sits: that is to be seen.
"""

from mirror_ray.asking.channel import manner, prediction_prompt
from mirror_ray.families.flipset.conditions import Condition
from mirror_ray.families.flipset.settings import Prompting, Settings
from mirror_ray.families.flipset.trials import LABELS, Trial

_SYSTEM = "You will see a picture and a multiple-choice question about it."

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
_WHERE = {"flat": "where it lies", "upright": "where it stands, about its middle"}
_TURNED = "Imagine that the card is {turn} {where}. What do you then see on it?"
_CHOICES = {2: "Choose A or B.", 4: "Choose A, B, C, or D."}
_THINK = "Let's think step by step."
_STEPS = f"{_THINK} End with a line of this form: Answer: <letter>"
_DIRECT = "Reply with the letter of the right option only."
_COT = (
    "Think step by step. Then write the letter of the right option on a last line of its own, "
    "like this:\nAnswer: <letter>"
)


def system_prompt(variant: str) -> str:
    """The text before the question; "" for none."""
    return _SYSTEM if variant == "framed" else ""


def user_prompt(condition: Condition, settings: Settings, trial: Trial, variant: str) -> str:
    """The question, its options under their labels, and how to reply."""
    asked = _put(condition, settings, trial, variant)
    staked = manner(settings.channel, reasons=settings.prompting == "cot")
    ending: tuple[str, ...]
    if staked is not None:
        ending = (_THINK, staked) if settings.prompting == "cot" else (staked,)
    elif variant == "framed":
        ending = (_manner(settings.prompting),)
    else:
        ending = (_STEPS,) if settings.prompting == "cot" else ()
    return "\n".join((*asked, *ending))


def forecast_prompt(condition: Condition, settings: Settings, trial: Trial, variant: str) -> str:
    """The forecast of being right that is asked for before the question."""
    return prediction_prompt("\n".join(_put(condition, settings, trial, variant)))


def _put(condition: Condition, settings: Settings, trial: Trial, variant: str) -> list[str]:
    """The question and its options under their labels."""
    if condition.question == "turned":
        question = _TURNED.format(turn=_TURNS[settings.angle_deg], where=_WHERE[settings.scene])
    else:
        question = _QUESTIONS[condition.question]
    if variant == "framed":
        return [question, *_listed(trial, ")")]
    return [f"{question} {_CHOICES[len(trial.options)]}", *_listed(trial, ".")]


def max_reply_tokens(prompting: Prompting) -> int:
    """What a reply may take; models that think before they speak need room in either case."""
    return 1024 if prompting == "direct" else 3072


def _listed(trial: Trial, mark: str) -> list[str]:
    return [f"{label}{mark} {text}" for label, text in zip(LABELS, trial.options, strict=False)]


def _manner(prompting: Prompting) -> str:
    return _DIRECT if prompting == "direct" else _COT
