"""Builds FlipSet's prompts from the texts in `prompts/`.

`paper` is the prompt that arXiv 2602.15892 prints in its appendix for L2: no system prompt, the
question, the letters to choose from, and the options, a line each. `framed` is [ours]."""

from mirror_ray.asking.channel import manner, prediction_prompt
from mirror_ray.contract.prompt_texts import Texts, default_texts
from mirror_ray.families.flipset.conditions import Condition
from mirror_ray.families.flipset.settings import Prompting, Settings
from mirror_ray.families.flipset.trials import LABELS, Trial

TEXTS = default_texts("flipset")
_TURNS = {180: "half", 90: "clockwise", 270: "anticlockwise"}
_CHOICES = {2: "two", 4: "four"}


def system_prompt(variant: str, texts: Texts = TEXTS) -> str:
    """Return the text before the question; "" for none."""
    return texts("framed.system") if variant == "framed" else ""


def user_prompt(
    condition: Condition, settings: Settings, trial: Trial, variant: str, texts: Texts = TEXTS
) -> str:
    """Return the question, its labelled options, and how to reply."""
    asked = _put(condition, settings, trial, variant, texts)
    reasons = settings.prompting == "cot"
    staked = manner(settings.channel, reasons=reasons)
    ending: tuple[str, ...]
    if staked is not None:
        ending = (texts("paper.think"), staked) if reasons else (staked,)
    elif variant == "framed":
        ending = (texts(f"framed.{settings.prompting}"),)
    else:
        ending = (texts("paper.think_and_answer"),) if reasons else ()
    return "\n".join((asked, *ending))


def forecast_prompt(
    condition: Condition, settings: Settings, trial: Trial, variant: str, texts: Texts = TEXTS
) -> str:
    """Return the request for a forecast of being right, which is sent before the question."""
    return prediction_prompt(_put(condition, settings, trial, variant, texts))


def _put(condition: Condition, settings: Settings, trial: Trial, variant: str, texts: Texts) -> str:
    if condition.question == "turned":
        turn = texts(f"questions.turns.{_TURNS[settings.angle_deg]}")
        where = texts(f"questions.where.{settings.scene}")
        question = texts("questions.turned", turn=turn, where=where)
    else:
        question = texts(f"questions.{condition.question}")
    file = "framed" if variant == "framed" else "paper"
    listed = texts(f"{file}.between_options").join(
        texts(f"{file}.option", label=label, text=text)
        for label, text in zip(LABELS, trial.options, strict=False)
    )
    choices = texts(f"paper.choices.{_CHOICES[len(trial.options)]}")
    return texts(f"{file}.asked", question=question, choices=choices, options=listed)


def max_reply_tokens(prompting: Prompting) -> int:
    """Return the limit of the reply's tokens; models that think before they speak need room in
    either case."""
    return 1024 if prompting == "direct" else 3072
