"""Scripted agents, whose prompts quote what other models wrote."""

from collections.abc import Callable, Iterator

import numpy as np

from mirror_ray.agents.prompt import Prompt, UnfamiliarPromptError
from mirror_ray.agents.walking import notes
from mirror_ray.agents.walking import text as selfid_text
from mirror_ray.contract.prompt_texts import filled, slots_of
from mirror_ray.families.contingency.agents import text as contingency_text
from mirror_ray.families.dyad import agents as dyad_agents
from mirror_ray.families.dyad.agents import text as dyad_text
from mirror_ray.families.dyad.prompts import system_prompt as dyad_system
from mirror_ray.families.flipset.agents import text as flipset_text
from mirror_ray.families.marktest import agents as marktest_agents
from mirror_ray.families.marktest import prompts as marktest_prompts
from mirror_ray.families.marktest.agents import text as marktest_text
from mirror_ray.families.metacog.agents import text as metacog_text
from mirror_ray.families.metacog.agents.judge import judge as metacog_judge
from mirror_ray.families.metacog.judge_prompt import ANSWER, Judged
from mirror_ray.families.mirrorqa.agents import text as mirrorqa_text
from mirror_ray.families.textmirror import agents as textmirror_agents
from mirror_ray.families.textmirror.prompts import (
    authorship_prompt,
    recognition_prompt,
    story_prompt,
)
from mirror_ray.world.reaching.body import LatticeCell
from support.readers_of_replies import STORY
from support.text_reader import TextReader

_MOMENT = "Position: x=0.0, y=0.0; heading=0 degrees. Steps remaining: 3."


def of_prompts() -> Iterator[TextReader]:
    """Every one."""
    base = "mirror_ray.families"
    unfamiliar = (UnfamiliarPromptError,)

    def asked(user: str) -> Prompt:
        return Prompt("", user, (), np.random.default_rng(0))

    def judged(reply: str) -> str:
        return Judged("0" * 16, 1, "", ANSWER, "", "", reply).prompt()

    for agent in ("ornate", "careless"):
        reply = getattr(textmirror_agents, agent)
        prompts: dict[str, Callable[[str], str]] = {
            "a story": lambda text: recognition_prompt("paper", [text, *STORY]),
            "a numbered story": lambda text: recognition_prompt("numbered", [text, *STORY]),
            "a story to quote": lambda text: recognition_prompt("full_sentence", [text, *STORY]),
            "two sentences": lambda text: authorship_prompt(text, text),
            "a seed": lambda text: story_prompt(text, 5),
            "any prompt": str,
        }
        for what, prompt in prompts.items():
            yield TextReader(
                f"{base}.textmirror.agents",
                f"{agent} shown {what}",
                lambda text, reply=reply, prompt=prompt: reply(asked(prompt(text))),
                unfamiliar,
            )
    yield TextReader("mirror_ray.agents.walking.notes", "read_notes", notes.read_notes)
    yield TextReader(
        "mirror_ray.agents.walking.text",
        "read_situation",
        lambda text: selfid_text.read_situation(text, text),
        unfamiliar,
    )
    yield TextReader(
        f"{base}.flipset.agents.text", "read_question", flipset_text.read_question, unfamiliar
    )
    for name in ("heard_of_own", "heard_of_other"):
        yield TextReader(f"{base}.dyad.agents.text", name, getattr(dyad_text, name))
    yield TextReader(
        f"{base}.dyad.agents",
        "roamer shown a step",
        lambda text: dyad_agents.roamer(
            Prompt(dyad_system(talks=True), f"{text}\n{_MOMENT}", (), np.random.default_rng(0))
        ),
    )
    yield TextReader(
        f"{base}.contingency.agents.text",
        "read_moment",
        contingency_text.read_screen_moment,
        unfamiliar,
    )
    yield TextReader(
        f"{base}.marktest.agents.text", "read_moment", marktest_text.read_moment, unfamiliar
    )
    hand = marktest_prompts.place_text(LatticeCell(4, 1, 0))
    yield TextReader(
        f"{base}.marktest.agents",
        "parrot shown a step",
        lambda text: marktest_agents.parrot(
            asked(f"Previous step: action=up; noticed={text}\n{hand}")
        ),
        unfamiliar,
    )
    yield TextReader(
        f"{base}.mirrorqa.agents.text",
        "read_side_question",
        mirrorqa_text.read_side_question,
        unfamiliar,
    )
    yield TextReader(f"{base}.metacog.agents.text", "told_accuracy", metacog_text.told_accuracy)
    yield TextReader(
        f"{base}.metacog.agents.judge", "judge", lambda reply: metacog_judge(asked(judged(reply)))
    )
    yield TextReader(f"{base}.metacog.agents.text", "format_of", metacog_text.asked_format)
    yield TextReader("mirror_ray.contract.prompt_texts", "slots_of", slots_of)
    yield TextReader(
        "mirror_ray.contract.prompt_texts", "filled", lambda text: filled("{said}", said=text)
    )
