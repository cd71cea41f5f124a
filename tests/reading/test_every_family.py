"""Truncation, echo and wrapping in the families whose replies are an option, a number or a step."""

import json
import re
from collections.abc import Callable

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.types import CUT_SHORT, Reply
from mirror_ray.families.contingency import reply as contingency
from mirror_ray.families.dyad import reply as dyad
from mirror_ray.families.flipset.reply import read_answer
from mirror_ray.families.marktest import reply as marktest
from mirror_ray.families.mirrorqa.reply import read_choice
from mirror_ray.families.selfid import reply as selfid
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.textmirror.reply import heard, read_letter, read_number
from support.each_case import each
from support.sent_prompts import prompts_of
from support.whole import IS_WHOLE, one_in

FLIPPED, SIDES = ("18", "81", "78", "87"), ("left", "right")
_OPTION = re.compile(r"^\(?([A-H])[.):] ?(.+?)\s*$", re.MULTILINE)


def _walked(decision: selfid.Decision | dyad.DyadDecision | None) -> object:
    return decision and (decision.action, decision.selected_cube)


def options_in(prompt: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of the options that a prompt offers."""
    return tuple(text for _, text in _OPTION.findall(prompt)) or otherwise


def _marked(reply: Reply, _: str) -> object:
    decision = marktest.read_reply(reply)[1]
    return decision and decision.action


def _watched(reply: Reply, _: str) -> object:
    decision = contingency.read_reply(reply)[1]
    return decision and (decision.move, decision.answer)


def _written(reply: Reply, prompt: str) -> object:
    return (
        heard(reply, read_letter, prompt).value
        or heard(reply, lambda said: read_number(said, range(1, 6)), prompt).value
    )


READERS: dict[str, Callable[[Reply, str], object]] = {
    "flipset": lambda said, prompt: (
        read_answer(said, options_in(prompt, FLIPPED), "cot", prompt).label
    ),
    "mirrorqa": lambda said, prompt: (
        read_choice(said.text, options_in(prompt, SIDES), said.finish_reason, prompt=prompt).option
    ),
    "textmirror": _written,
    "selfid": lambda said, _: _walked(selfid.read_reply(said, CONDITIONS["E1"])[1]),
    "dyad": lambda said, _: _walked(dyad.read_reply(said, talks=False)[1]),
    "marktest": _marked,
    "contingency": _watched,
}
_STEP = {
    "view-description": "a mirror",
    "reasoning": "I look around, then go on.",
    "action": "done",
    "summary": "found it",
    "selected_cube": "green",
    "identification": "green",
}
_REACH = {"view": "a face", "reasoning": "a mark", "noticed": "a mark", "action": "forward"}
_WATCH = {"view": "three", "reasoning": "it follows", "move": "left", "answer": "middle"}
STEPS = {"selfid": _STEP, "dyad": _STEP, "marktest": _REACH, "contingency": _WATCH}
LINES = {
    "selfid": "Action: done\nselected_cube: green\nidentification: green",
    "dyad": "Action: done\nselected_cube: green",
    "marktest": "Action: forward",
    "contingency": "Move: left\nAnswer: middle",
}
_LETTERED = ("Answer: B", "We look at it.\nThe answer is B.\nThat is all.", "**B**", "Final: B\nB")
REPLIES = {
    **{family: (json.dumps(step), LINES[family]) for family, step in STEPS.items()},
    "flipset": _LETTERED,
    "mirrorqa": _LETTERED,
    "textmirror": (*_LETTERED, "Answer: 3", "The strange one is sentence 3.\nIt is longer."),
}
WRAPPED = (
    "```json\n{}\n```",
    "Here is my step:\n\n{}",
    "<think>w? left? I am not sure.</think>\n{}",
    "{}<|im_end|>",
    "<|im_start|>assistant\n{}",
    '<tool_call>\n{{"name": "act", "arguments": {}}}\n</tool_call>',
    "\u200b{}",
)


@each("family, said", [(family, said) for family, replies in REPLIES.items() for said in replies])
def test_a_reply_cut_anywhere_says_nothing_that_the_whole_one_does_not(
    family: str, said: str
) -> None:
    read = READERS[family]
    whole = read(Reply(said), "")
    for at in range(len(said)):
        for reason in CUT_SHORT:
            assert read(Reply(said[:at], finish_reason=reason), "") in {None, whole}, said[:at]


@each("family", STEPS)
def test_a_step_that_breaks_off_unnoticed_is_no_other_step(family: str) -> None:
    said = json.dumps(STEPS[family])
    whole = READERS[family](Reply(said), "")
    for at in range(len(said)):
        assert READERS[family](Reply(said[:at]), "") in {None, whole}, said[:at]


@each("family", STEPS)
def test_what_is_around_a_step_changes_nothing(family: str) -> None:
    said = json.dumps(STEPS[family])
    whole = READERS[family](Reply(said), "")
    assert whole is not None
    for wrapping in WRAPPED:
        assert READERS[family](Reply(wrapping.format(said)), "") == whole, wrapping
    tags = "\n".join(f"<{key}>{value}</{key}>" for key, value in STEPS[family].items())
    assert READERS[family](Reply(tags), "") == whole
    # A call whose arguments are XML or a string is refused.
    name, value = list(STEPS[family].items())[-1]
    call = f'<invoke name="act"><parameter name="{name}">{value}</parameter></invoke>'
    for refused in (call, json.dumps({"name": "act", "arguments": said})):
        assert READERS[family](Reply(refused), "") is None, refused
    in_german = json.dumps(STEPS[family] | dict.fromkeys(("action", "answer"), "vorwärts"))
    assert READERS[family](Reply(in_german), "") is None


TAKEN_BACK = (
    "On reflection, I would rather not.",
    "Hmm, I changed my mind.",
    "Strike that.",
    "Never mind the above.",
    "I take this back.",
    "Undo this, please.",
    "Correction: {}",
    "So: {}",
    "Let's do {}.",
    "Then again, {}.",
    "Looking again, the mark is below: {}",
)
OTHER = {"selfid": "right", "dyad": "back", "marktest": "down", "contingency": "right"}
GOES_ON = (
    "I hope this helps!",
    "This is a step towards what I look for, however small it is.",
    "**Note:** what lies to the left of this may be of interest later.",
)


@each("family", STEPS)
def test_words_after_a_step_may_take_it_back(family: str) -> None:
    said = json.dumps(STEPS[family])
    whole = READERS[family](Reply(said), "")
    for words in TAKEN_BACK:
        after = f"{said}\n\n{words.format(OTHER[family])}"
        assert READERS[family](Reply(after), "") is None, after
    for words in GOES_ON:
        assert READERS[family](Reply(f"{said}\n\n{words}"), "") == whole, words


@each("family", STEPS)
def test_the_prompts_line_on_an_earlier_step_is_no_step(family: str) -> None:
    history = "; ".join(f"{key}={value}" for key, value in STEPS[family].items())
    for said in (history, f"Previous step: {history}.", history.partition("; ")[0]):
        assert READERS[family](Reply(said), "") is None, said


OTHER_TEXT = {
    "flipset": ("Turning the card gives {}. The answer is {}.", "{} → so {}", "It reads {}.\n\n{}"),
    "mirrorqa": (
        "She raises her {} hand. The answer is {}.",
        "The {} hand is raised, so it's {}.",
        "The hand that is raised is her {} one.\n\nAnswer: {}",
    ),
}
TEXTS = {"flipset": FLIPPED, "mirrorqa": SIDES}


@each("family, said", [(family, said) for family, all_ in OTHER_TEXT.items() for said in all_])
def test_a_letter_with_another_options_text_is_no_answer(family: str, said: str) -> None:
    texts = TEXTS[family]
    read = READERS[family]
    assert read(Reply(said.format(texts[0], "B")), "") is None
    assert read(Reply(said.format(texts[1], "B")), "") in ("B", texts[1])


@each("family", READERS)
def test_no_prompt_of_a_family_answers_itself(family: str) -> None:
    read = READERS[family]
    by_cell = prompts_of(FAMILIES[family], None if IS_WHOLE else 1)
    sent = {both for some in by_cell.values() for both in some}
    assert sent
    for system, user in one_in(3, sorted(sent)[:: max(1, len(sent) // 10)]):
        prompt = f"{system}\n{user}".strip()
        lines = prompt.splitlines()
        turned = ("\n".join(lines[at:] + lines[:at]) for at in range(0, len(lines), 5))
        beginnings = (prompt[:at] for at in range(12, len(prompt), max(1, len(prompt) // 20)))
        for said in (prompt, user, "\n".join(reversed(lines)), *turned, *beginnings):
            assert read(Reply(said), prompt) is None, said[-300:]
